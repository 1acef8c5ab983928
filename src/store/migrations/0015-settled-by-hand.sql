-- The payments at a terminal that a person has settled by hand as not charged. The terminal may still report them as paid.
CREATE INDEX terminal_payment_reason ON terminal_payment (reason) WHERE reason = 'not-charged';
