-- The lines of the journal with a reason that a person has written. It may name a guest, and is erased with the guest.
CREATE INDEX journal_reason ON journal (subject) WHERE type IN ('key.override-used', 'stay.payment-settled-by-hand');
