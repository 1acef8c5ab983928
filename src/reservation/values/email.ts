import { emailPattern, longestEmail } from '../../resource/values/email-address.ts'
import { withOnePrimary } from './primary.ts'
import { closedObject, readOnly, withoutNulls } from './value-schema.ts'

const emailTypes = ['Private', 'Business', 'Other'] as const
type EmailType = (typeof emailTypes)[number]

/** The JSON Schema of an Email. */
export const emailSchema = closedObject(
  {
    address: {
      type: 'string',
      maxLength: longestEmail,
      pattern: emailPattern,
      description: 'an email address',
    },
    type: { enum: emailTypes },
    primary: { type: 'boolean' },
    verifiedAt: readOnly,
  },
  ['address'],
)

/** The type of a value that `emailSchema` accepts. */
export interface EmailInput {
  address: string
  type?: EmailType | null
  primary?: boolean | null
  verifiedAt?: unknown
}

/** An Email of a profile as it is stored. */
export interface Email {
  address: string
  type: EmailType
  primary: boolean
  /** A UTC timestamp, set by the appliance when the guest has proven the address. */
  verifiedAt?: string
}

/**
 * Returns a profile's emails, with domains in lower case and exactly one primary. An address that was stored as
 * verified stays verified; the input cannot set `verifiedAt`. Throws 422 `validation-failed`.
 */
export function profileEmails(emails: readonly EmailInput[], kept: readonly Email[] = []): Email[] {
  const checked = emails.map(({ verifiedAt: _, ...email }) => {
    const address = withLowerCaseDomain(email.address.normalize('NFC'))
    const verifiedAt = kept.find((other) => other.address === address)?.verifiedAt
    return { type: 'Private' as const, ...withoutNulls(email), address, ...(verifiedAt && { verifiedAt }) }
  })
  return withOnePrimary(checked, '/emails')
}

function withLowerCaseDomain(address: string): string {
  const at = address.indexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}
