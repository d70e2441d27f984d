"""What the stages of the cascade were asked and said, as chats to train a local model on."""
