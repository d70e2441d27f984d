"""Foreign neural engines, one file each. The only room that imports them."""
