import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cache, runInTools } from './places.ts'

/** The files that sign bundles: the root that boxes trust, the certificate of the signer and its key. */
export interface SigningKeys {
  folder: string
  root: string
  certificate: string
  key: string
  /** Whether these keys were made here for tests, and no released box trusts them. */
  isForTests: boolean
}

/**
 * The keys of `NIGHTPORTER_SIGNING_KEYS`, a folder with `root.pem`, `signer.pem` and `signer.key`. Without it, keys for tests, which
 * are made once and kept beside the tools.
 */
export function signingKeys(): SigningKeys {
  const given = process.env.NIGHTPORTER_SIGNING_KEYS
  if (given === undefined) return keysForTests(join(cache, 'test-keys'))
  const keys = keysIn(given)
  for (const file of [keys.root, keys.certificate, keys.key])
    if (!existsSync(file)) throw new Error(`${file} does not exist.`)
  return { ...keys, isForTests: false }
}

/** Keys for tests in a folder, which are made unless they are there. */
export function keysForTests(folder: string): SigningKeys {
  const keys = keysIn(folder)
  if (!existsSync(keys.certificate)) makeKeys(folder)
  return { ...keys, isForTests: true }
}

const keysIn = (folder: string) => ({
  folder,
  root: join(folder, 'root.pem'),
  certificate: join(folder, 'signer.pem'),
  key: join(folder, 'signer.key'),
})

function makeKeys(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const openssl = (...command: string[]) => runInTools(['openssl', ...command], { in: folder, quiet: true })
  const name = (text: string) => ['-subj', `/CN=nightporter ${text} for tests`]
  openssl(
    'req',
    '-x509',
    ...elliptic,
    '-days',
    '7300',
    ...name('root'),
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  )
  openssl('req', ...elliptic, ...name('signer'), '-keyout', 'signer.key', '-out', 'signer.csr')
  const from = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial']
  openssl('x509', '-req', '-in', 'signer.csr', ...from, '-days', '7300', '-out', 'signer.pem')
}
