"""What the formats have in common: stages, brackets, what is proven, and the rules they say alike."""
