"""How a field is shared out before its lists are paired: tiers, pools, score groups, and who is equal at the cut."""
