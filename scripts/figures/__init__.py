"""What the pictures of plot, render and the validation share: one module for each kind of figure."""
