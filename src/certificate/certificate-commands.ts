import { command } from '../resource/command.ts'

/** A change of the server's certificate, as the journal records it. */
type CertificateChange = {
  source: string
  /** SHA-256 of the certificate, hexadecimal with colons. */
  fingerprint: string
  /** ISO 8601. */
  endsAt: string
  /** Whether clients have to trust a new authority. */
  newAuthority: boolean
}

/** The command that records a person's change of the server's certificate. */
export const noteCertificate = command(
  'system/certificate-changed',
  (tx, change: CertificateChange): null => {
    tx.journal('system.certificate-changed', 'system', change)
    return null
  },
)

export const certificateCommands = [noteCertificate]
