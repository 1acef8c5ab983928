/**
 * The form of an email address that a profile takes: one `@` and no spaces; the mail servers decide whether the address
 * exists. It is a pattern of a JSON Schema, to be read with the flag `u`.
 */
export const emailPattern = '^[^\\s@\\p{Cc}\\p{Cs}]+@[^\\s@\\p{Cc}\\p{Cs}]+$'

/** The most characters of an email address. */
export const longestEmail = 254
