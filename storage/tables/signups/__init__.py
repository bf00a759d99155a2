"""The tables of what comes before a seat in a season: claims, requests and the waiting list."""
