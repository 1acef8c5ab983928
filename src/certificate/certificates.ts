import { X509Certificate } from 'node:crypto'
import type { Clock } from '../host/clock.ts'
import type { Log } from '../host/log.ts'
import type { Vault } from '../host/vault.ts'
import {
  CertificatesUnreadable,
  type KeptCertificates,
  keepAuthority,
  keepCertificates,
  readCertificates,
} from './certificate-file.ts'
import { isPermitted } from './machine-names.ts'
import type { OwnNames, Pair } from './make-certificate.ts'

const day = 86_400_000
/** A certificate is renewed this long before its end. */
const renewBeforeMs = 30 * day
/** The shortest useful gain of a renewal. Near the end of the authority a renewal gains less and is skipped. */
const leastGainMs = day
const lookEveryMs = 30_000

/** The certificates of a box that is its own authority. */
export interface Certificates {
  /** Returns the certificate and key for the server. */
  inUse(): Pair
  kept(): KeptCertificates
  /** Returns the names and addresses that the box's own certificate should have. */
  wanted(): OwnNames
  /** Returns the names of the box for which its authority may not sign, although they are the box's alone. */
  unsigned(): string[]
  /** Returns those of `names` that a name of another computer may be, or may end with; see {@link isOwnName}. */
  foreign(names: readonly string[]): string[]
  /**
   * Renews the box's own certificate now. With `newAuthority` the box makes a new authority, which every client must
   * trust anew.
   */
  renew(options: { newAuthority: boolean }): Promise<void>
  /** Sets the names of the box, and renews its certificate with them. */
  rename(names: string[], options: { newAuthority: boolean }): Promise<void>
  /** Uses an uploaded certificate, which the caller must have checked; null returns to the box's own. */
  upload(pair: Pair | null): Promise<void>
  /** Calls `use` with each new certificate. */
  follow(use: (pair: Pair) => void): void
  close(): void
}

interface CertificatesOptions {
  data: string
  vault: Pick<Vault, 'seal' | 'unseal'>
  clock: Clock
  /** Returns the current names and addresses of this machine. */
  network(): OwnNames
  log: Log
  failed(error: unknown): void
}

/** The library that makes certificates needs 12 MB, and is loaded when a certificate is made. */
const maker = () => import('./make-certificate.ts')
/** The list of public suffixes is not needed by a box that makes no certificates. */
const suffixes = () => import('./own-name.ts')

/**
 * Opens the box's certificates, and makes authority and certificate if they are missing. Twice a minute it checks
 * whether the certificate must be renewed: 30 days before its end, or when the box has a name or an address that the
 * certificate lacks. While the clock is not plausible, no certificate is renewed. The first certificate is made even
 * then, dated from the latest time that is known to have passed, so it is valid.
 */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates> {
  const { data, vault, clock, network, log, failed } = options
  let use: (pair: Pair) => void = () => {}
  let kept = await keptOrMade(options)
  let working: Promise<unknown> = Promise.resolve()

  const { isOwnName } = await suffixes()
  const wanted = () => wantedBy(kept, network())
  const inUse = () => kept.uploaded ?? kept.own

  function store(changed: KeptCertificates): void {
    keepCertificates(data, vault, changed)
    kept = changed
    use(inUse())
    copyAuthority()
  }

  /** For the command line alone, so a full disk keeps nothing else. It is repeated with each look. */
  function copyAuthority(): void {
    try {
      keepAuthority(data, kept.authority.certificate)
    } catch (error) {
      failed(error)
    }
  }

  /** Changes run one after the other. */
  function change(work: () => Promise<void> | void): Promise<void> {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }

  async function renewed(from: KeptCertificates, newAuthority: boolean): Promise<KeptCertificates> {
    if (newAuthority) return made(from.names, from.uploaded, options)
    const own = (await maker()).makeLeaf(from.authority, wantedBy(from, network()), clock.now())
    return { ...from, own }
  }

  async function look(): Promise<void> {
    copyAuthority()
    if (!clock.isPlausible()) return
    const now = clock.now()
    const isAuthorityOver = !isWithin(kept.authority, now)
    if (!isAuthorityOver && !isDue(kept, wanted(), now)) return
    store(await renewed(kept, isAuthorityOver))
    log.warn({ endsAt: new X509Certificate(kept.own.certificate).validTo }, 'certificate.renewed')
  }

  const timer = clock.setInterval(() => void change(look).catch(failed), lookEveryMs).unref()
  return {
    inUse,
    kept: () => kept,
    wanted,
    unsigned: () =>
      ownNamesBy(kept.names, network(), isOwnName).filter((name) => !isPermitted(name, kept.permitted)),
    foreign(names) {
      const machine = network().names
      return names.filter((name) => !isOwnName(name, machine))
    },
    renew: ({ newAuthority }) => change(async () => store(await renewed(kept, newAuthority))),
    rename: (names, { newAuthority }) =>
      change(async () => store(await renewed({ ...kept, names }, newAuthority))),
    upload: (uploaded) => change(() => store({ ...kept, uploaded })),
    follow(listener) {
      use = listener
    },
    close: () => timer.cancel(),
  }
}

/** Returns the stored certificates. Makes new ones if they are missing or unreadable. */
async function keptOrMade(options: CertificatesOptions): Promise<KeptCertificates> {
  const { data, vault, log } = options
  try {
    const kept = readCertificates(data, vault)
    if (kept) {
      keepAuthority(data, kept.authority.certificate)
      return kept
    }
  } catch (error) {
    if (!(error instanceof CertificatesUnreadable)) throw error
    log.error(
      { err: error },
      'certificate.unreadable: a new authority is made, which every client has to trust',
    )
  }
  const kept = await made([], null, options)
  keepCertificates(data, vault, kept)
  keepAuthority(data, kept.authority.certificate)
  return kept
}

/**
 * Makes an authority for those of the present names of the box that can only be its own, and its first certificate. A host
 * name such as `app`, a top-level domain of the internet, is left out; `app.local` stays.
 */
async function made(
  names: string[],
  uploaded: Pair | null,
  { clock, network }: Pick<CertificatesOptions, 'clock' | 'network'>,
): Promise<KeptCertificates> {
  const { makeAuthority, makeLeaf } = await maker()
  const machine = network()
  const { isOwnName } = await suffixes()
  const permitted = ownNamesBy(names, machine, isOwnName)
  const now = clock.now()
  const authority = makeAuthority({ permitted, now })
  const own = makeLeaf(authority, wantedBy({ names, permitted }, machine), now)
  return { authority, permitted, own, uploaded, names }
}

/** Returns a certificate for the page that is shown while the data folder cannot be used. It is not stored. */
export async function temporaryPair(clock: Pick<Clock, 'now'>, network: () => OwnNames): Promise<Pair> {
  return (await made([], null, { clock: clock as Clock, network })).own
}

function wantedBy(
  { names, permitted }: Pick<KeptCertificates, 'names' | 'permitted'>,
  machine: OwnNames,
): OwnNames {
  const addresses = [...new Set([...machine.addresses, '127.0.0.1', '::1'])]
  return { names: namesBy(names, machine).filter((name) => isPermitted(name, permitted)), addresses }
}

/** Returns those names of the box for which an authority of its own may sign. */
function ownNamesBy(
  given: readonly string[],
  machine: OwnNames,
  isOwnName: (name: string, machine: readonly string[]) => boolean,
): string[] {
  return namesBy(given, machine).filter((name) => isOwnName(name, machine.names))
}

/** Returns all names of the box, the names that a person gave it first. */
function namesBy(given: readonly string[], machine: OwnNames): string[] {
  return [...new Set([...given, ...machine.names, 'localhost'])]
}

/**
 * Returns whether the box's own certificate must be renewed. An address that the box has lost is no reason: a network
 * interface that comes and goes would otherwise cause a new certificate each time.
 */
function isDue({ own, authority }: KeptCertificates, { names, addresses }: OwnNames, now: number): boolean {
  const leaf = new X509Certificate(own.certificate)
  const end = leaf.validToDate.getTime()
  const latestEnd = new X509Certificate(authority.certificate).validToDate.getTime()
  const isNearEnd = end - now < renewBeforeMs && latestEnd - end > leastGainMs
  const isNamed = names.every((name) => leaf.checkHost(name)) && addresses.every((each) => leaf.checkIP(each))
  return isNearEnd || !isNamed || leaf.validFromDate.getTime() > now
}

function isWithin({ certificate }: Pair, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  return validFromDate.getTime() <= now && now < validToDate.getTime()
}
