"""Search structures of one partition: lexical, dense and late interaction, all exact, all from the partition's rows."""
