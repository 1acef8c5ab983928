import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { createSecureContext, type SecureContextOptions, type Server as TlsServer } from 'node:tls'
import { ConfigRefused } from './config.ts'
import type { Clock } from './host/clock.ts'
import { watchFiles } from './host/file-changes.ts'

/** Names of files in PEM: the chain of certificates, and the key. */
interface TlsFiles {
  cert: string
  key: string
}

/** TLS 1.3, and of 1.2 what keeps recorded traffic secret when the key is stolen later. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':')

/** How TLS is spoken with these files. Throws ConfigRefused for a key that others may read, and the system's error for a file that cannot be read. */
export function secured({ cert, key }: TlsFiles): SecureContextOptions {
  const chain = readFileSync(cert)
  const mode = statSync(key).mode & 0o777
  if ((mode & 0o077) !== 0) {
    const octal = mode.toString(8).padStart(4, '0')
    throw new ConfigRefused(
      `${key} may be read or written by others (mode ${octal}): whoever has it can pose as this house. Get a new certificate with a new key if others have had access, then make the key 0600.`,
    )
  }
  return {
    cert: chain,
    key: readFileSync(key),
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
  }
}

const lookEveryMs = 60_000

/**
 * Uses a renewed certificate within two minutes of its files being replaced; connections that are open go on. Files that cannot be used are
 * told once, and the certificate from before stays. Until the returned function is called.
 */
export function followFiles(
  server: Server,
  files: TlsFiles,
  { clock, refused }: { clock: Clock; refused(error: unknown): void },
): () => void {
  const looking = watchFiles([files.cert, files.key], { clock, everyMs: lookEveryMs, changed: use })
  looking.unref()
  return looking.cancel

  function use(): void {
    try {
      const options = secured(files)
      createSecureContext(options)
      ;(server as unknown as TlsServer).setSecureContext(options)
    } catch (error) {
      refused(error)
    }
  }
}
