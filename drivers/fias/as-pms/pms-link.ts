import type { Duplex } from 'node:stream'
import { type LinkEnd, type LinkEndOptions, linkEnd } from '../link-end.ts'
import { answers } from '../protocol.ts'
import { type FiasRecord, fieldNames } from '../record.ts'

/** The fields that the other side accepts, by record. It does not accept a record that is absent here. */
export type AcceptedFields = ReadonlyMap<string, ReadonlySet<string>>

interface PmsLinkOptions extends LinkEndOptions {
  /** Called with an answer to a request. */
  answered(record: FiasRecord): void
  /** Called with any record that carries the date and time of the other side's clock. */
  stamped(fields: FiasRecord['fields']): void
  /** Called when the link becomes active or inactive. */
  active(isActive: boolean): void
  /** Called once when the wire is gone. */
  gone(): void
}

/** The PMS's end of a link. */
export type PmsLink = ReturnType<typeof pmsLink>

/**
 * The details that LC reports when a key system requests them by bits of RT in LD: the versions of the PMS, of its
 * interface and of the driver there, and the deadlines of answers in seconds.
 */
const ownDetails: readonly (readonly [bit: number, field: string, value: string])[] = [
  [4, 'A1', 'nightporter'],
  [16, 'A3', 'nightporter'],
  [32, 'A2', 'nightporter'],
  [128, 'A0', '60;60'],
]
const mostWanted = 64

interface Link {
  options: PmsLinkOptions
  end: LinkEnd
  wanted: Map<string, ReadonlySet<string>>
  isActive: boolean
  /** The number of LS sent since the link was last active. */
  startsRequested: number
}

/** The link over an open wire. Never throws. */
export function pmsLink(wire: Duplex, options: PmsLinkOptions) {
  const gone = () => {
    setActive(link, false)
    options.gone()
  }
  const end = linkEnd(wire, options, (record) => take(link, record), gone)
  const link: Link = { options, end, wanted: new Map(), isActive: false, startsRequested: 0 }

  return {
    get wanted(): AcceptedFields {
      return link.wanted
    },
    /** Resolves once the key system has described itself; rejects with an Error when it does not. */
    start(): Promise<void> {
      askForStart(link)
      return end.start('the key system does not send its description')
    },
    /** Sends a request, reduced to the fields that the other side wants. Rejects with NotSent. */
    send(id: string, fields: Readonly<Record<string, string | null>>): Promise<void> {
      const names = link.wanted.get(id) ?? new Set()
      const wantedFields = Object.entries(fields).filter(([name]) => names.has(name))
      return end.send(id, Object.fromEntries(wantedFields))
    },
    isThere: end.isThere,
    close: end.close,
  }
}

function take(link: Link, record: FiasRecord): void {
  const { id, fields } = record
  if (fields.DA && fields.TI) link.options.stamped(fields)
  if (answers.includes(id)) link.options.answered(record)
  else linkRecords[id]?.(link, fields)
}

/** Handles the link records of the key system. */
const linkRecords: Partial<Record<string, (link: Link, fields: FiasRecord['fields']) => void>> = {
  LS(link) {
    // Before the key system has described itself, its LS may mean that it missed the LS of the appliance. A later LS
    // asks whether the appliance is there.
    if (link.isActive) link.end.sign('LA')
    else askForStart(link)
  },
  LD(link, { RT }) {
    setActive(link, false)
    link.wanted = new Map()
    sendDetails(link, Number(RT))
  },
  LR({ wanted }, { RI, FL }) {
    if (RI && wanted.size < mostWanted) wanted.set(RI, new Set(fieldNames(FL ?? '')))
  },
  LA(link) {
    if (link.isActive || link.wanted.size === 0) return
    link.end.sign('LA')
    setActive(link, true)
    link.end.started.resolve()
  },
  LE(link) {
    link.end.sign('LE')
    setActive(link, false)
    link.end.closeSoon()
  },
}

function sendDetails(link: Link, requested: number): void {
  const known = ownDetails.filter(([bit]) => requested & bit)
  const RT = known.reduce((sum, [bit]) => sum + bit, 0)
  const details = Object.fromEntries(known.map(([, field, value]) => [field, value]))
  if (RT > 0) link.end.post('LC', { RT: String(RT), ...details })
}

/** Sends three starts at most: two sides that answer each start with a start would never end. */
function askForStart(link: Link): void {
  if (link.startsRequested++ < 3) link.end.sign('LS')
}

function setActive(link: Link, next: boolean): void {
  if (next === link.isActive) return
  link.isActive = next
  if (next) link.startsRequested = 0
  link.options.active(next)
}
