import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { dirname, resolve } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import type { Pair } from '../certificate/make-certificate.ts'
import { ConfigRefused } from '../config.ts'
import { tls } from '../devices/network/tls.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import { fileWatch } from '../host/files/file-changes.ts'

/** The names of PEM files: the certificate chain, and the key. */
interface TlsFiles {
  cert: string
  key: string
}

/** TLS 1.3, and the ciphers of TLS 1.2 with forward secrecy. */
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

/**
 * Returns the TLS settings for these files. Throws ConfigRefused for a key that other users may read, and the
 * system's error for a file that cannot be read.
 */
export function secured({ cert, key }: TlsFiles): SecureContextOptions {
  const chain = readFileSync(cert)
  const mode = statSync(key).mode & 0o777
  if ((mode & 0o077) !== 0 && !isCredential(key)) {
    const octal = mode.toString(8).padStart(4, '0')
    throw new ConfigRefused(
      `${key} can be read or written by other users of this machine (mode ${octal}). With this key, anyone can impersonate the appliance. If others have had access, get a new certificate with a new key. Then run: chmod 600 ${key}`,
    )
  }
  return securedBy({ certificate: chain.toString(), key: readFileSync(key, 'utf8') })
}

/**
 * Whether systemd passed this file as a credential. Only the service may enter its folder, and the access list of the
 * file counts as a right of the group.
 */
function isCredential(path: string): boolean {
  const folder = process.env.CREDENTIALS_DIRECTORY
  return folder !== undefined && dirname(resolve(path)) === resolve(folder)
}

/** Returns the TLS settings for a certificate and its key. */
export function securedBy({ certificate, key }: Pair): SecureContextOptions {
  return {
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
  }
}

const lookEveryMs = 60_000

/**
 * Uses a renewed certificate within two minutes after its files were replaced, until the returned function is
 * called. Open connections continue. When the new files cannot be used, `refused` is called once and the
 * previous certificate stays in use.
 */
export function followFiles(
  server: Server,
  files: TlsFiles,
  { background, refused }: { background: BackgroundWork; refused(error: unknown): void },
): () => void {
  const look = fileWatch([files.cert, files.key], use)
  const looking = background.every('certificate-files', lookEveryMs, look)
  return () => void looking.close()

  function use(): void {
    try {
      const options = secured(files)
      tls().createSecureContext(options)
      if (server instanceof tls().Server) server.setSecureContext(options)
    } catch (error) {
      refused(error)
    }
  }
}
