"""What day the words of a sentence mean, and on what that rests."""
