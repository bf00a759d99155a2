"""The rules: pure and exact, knowing nothing of Discord, SQL, clocks or chance."""
