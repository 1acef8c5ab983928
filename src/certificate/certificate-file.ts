import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { writeDurably } from '../host/files/durable.ts'
import type { Vault } from '../host/vault.ts'
import type { Pair } from './make-certificate.ts'

/** The stored certificates of the box. */
export interface KeptCertificates {
  authority: Pair
  /** The DNS names for which the authority may sign. */
  permitted: string[]
  /** The newest certificate of the authority. */
  own: Pair
  /** The certificate that a person uploaded; the server uses it instead of the box's own certificate. */
  uploaded: Pair | null
  /** The names that a person gave the box, in addition to its host name. */
  names: string[]
}

/** The file cannot be used. */
export class CertificatesUnreadable extends Error {}

const context = (owner: string) => `certificate/${owner}`
const owners = ['authority', 'own', 'uploaded'] as const

/**
 * Returns the stored certificates; null when there is no file. Throws CertificatesUnreadable when the file is damaged,
 * or was sealed with the key of another property.
 */
export function readCertificates(data: string, { unseal }: Pick<Vault, 'unseal'>): KeptCertificates | null {
  const text = textAt(join(data, dataFiles.certificates))
  if (text === null) return null
  try {
    const kept = JSON.parse(text) as KeptCertificates & { format: number }
    if (kept.format !== 1) throw new Error('its format is newer than this program')
    const { permitted, names } = kept
    const [authority, own, uploaded] = owners.map((owner) => {
      const pair = kept[owner]
      return pair && { certificate: pair.certificate, key: unseal(pair.key, context(owner)) }
    })
    if (!authority || !own) throw new Error('it is not complete')
    return { authority, own, uploaded: uploaded ?? null, permitted, names }
  } catch (error) {
    throw new CertificatesUnreadable((error as Error).message, { cause: error })
  }
}

/**
 * Stores the certificates. The keys are sealed, and only the owner of the file may read it. After a power cut the file
 * has either the old or the new content. Throws the error of the disk; the file has the old content then.
 */
export function keepCertificates(data: string, { seal }: Pick<Vault, 'seal'>, kept: KeptCertificates): void {
  const sealed = owners.map((owner) => {
    const pair = kept[owner]
    return [owner, pair && { certificate: pair.certificate, key: seal(pair.key, context(owner)) }] as const
  })
  const { permitted, names } = kept
  const text = JSON.stringify({ format: 1, names, permitted, ...Object.fromEntries(sealed) }, null, 2)
  writeDurably(join(data, dataFiles.certificates), text)
}

/** Stores the authority's certificate in a file of its own, for the command line on this machine, unless the file has it. */
export function keepAuthority(data: string, certificate: string): void {
  const path = join(data, dataFiles.authority)
  if (textAt(path) !== certificate) writeDurably(path, certificate)
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
