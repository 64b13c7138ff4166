"""Pictures of campaigns: one module for each kind of figure, `picture` that chooses, `film` that renders rods as tubes."""
