"""What the audit log says of substitutes and rounds sat out."""

AUDIT_WORDS = {
    "entrant.play_after_all": "{} plays a round after all",
    "entrant.sit_out": "{} sits out a round",
    "entrant.substitute": "{} got a substitute",
}
