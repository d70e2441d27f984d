"""Tests, intervals and agreement, one a file. An undefined figure is None with a reason; n stands beside every one."""
