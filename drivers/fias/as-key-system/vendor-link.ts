import type { Duplex } from 'node:stream'
import type { Timer } from '../../../src/host/clock.ts'
import { type LinkEnd, type LinkEndOptions, linkEnd } from '../link-end.ts'
import { stamp } from '../moments.ts'
import type { FiasRecord } from '../record.ts'

interface VendorLinkOptions extends LinkEndOptions {
  /** The interface type that the appliance announces, in the terms of the PMS: `DL` is door locks. */
  family: string
  /** The fields that the appliance wants and those of its answers, by record. */
  wanted: readonly (readonly [record: string, fields: readonly string[]])[]
  /** Called with each record that is not a link record, in the order of arrival. */
  received(record: FiasRecord): void
  /** Called when the PMS has confirmed the announcement, for the first time or again: it sends records from now on. */
  linked?(): void
}

/** The vendor's end of a link: that of a key system, or of another system of a vendor that a PMS talks to. */
export type VendorLink = ReturnType<typeof vendorLink>

/** How long the appliance waits for the LS of the PMS before it begins itself. */
const unaskedMs = 3_000
/** The least time between two answers to LS. */
const restMs = 1_000

interface Link {
  options: VendorLinkOptions
  end: LinkEnd
  /** Whether the announcement was sent and is not yet confirmed. */
  isDescribed: boolean
  /** Whether an LS is being answered, or was less than a second ago. */
  isAnswering: boolean
  /** Whether another LS has arrived meanwhile. */
  isAskedAgain: boolean
  isActive: boolean
  /** Runs until the announcement begins. */
  unasked: Timer | null
}

/** The link over an open wire. Never throws. */
export function vendorLink(wire: Duplex, options: VendorLinkOptions) {
  const take = (record: FiasRecord) => {
    const handle = linkRecords[record.id]
    if (handle) handle(link)
    else options.received(record)
  }
  const end = linkEnd(wire, options, take, () => link.unasked?.cancel())
  const link: Link = {
    options,
    end,
    isDescribed: false,
    isAnswering: false,
    isAskedAgain: false,
    isActive: false,
    unasked: null,
  }
  return {
    /** Resolves once the PMS has confirmed the announcement; rejects with an Error when it does not. */
    start: (): Promise<void> => start(link),
    /** Sends a record with the date and time. Rejects with NotSent. */
    send: (id: string, fields: Readonly<Record<string, string | null | undefined>>): Promise<void> =>
      end.send(id, { ...fields, ...stamp(options.wallTime()) }),
    isThere: end.isThere,
    close: end.close,
  }
}

async function start(link: Link): Promise<void> {
  const { end, options } = link
  const begin = () => {
    end.sign('LS')
    describe(link)
  }
  link.unasked = options.clock.setTimeout(begin, unaskedMs * options.patience)
  try {
    await end.start('the PMS does not confirm the link')
  } finally {
    link.unasked?.cancel()
  }
}

/** Handles the link records of the PMS. */
const linkRecords: Partial<Record<string, (link: Link) => void>> = {
  LS(link) {
    if (link.isAnswering) link.isAskedAgain = true
    // On a serial line this is the only sign that the PMS has restarted. In both cases the answer ends with LA.
    else if (link.isActive && link.options.framing === 'tcp') void answer(link)
    else describe(link)
  },
  LA(link) {
    if (!link.isDescribed) return
    link.isDescribed = false
    link.isActive = true
    link.options.linked?.()
    link.end.started.resolve()
  },
  LE({ end }) {
    end.sign('LE')
    end.closeSoon()
  },
  LC() {},
}

/** Announces which records and fields the appliance wants. */
function describe(link: Link): void {
  const { end, options } = link
  link.unasked?.cancel()
  link.isDescribed = true
  end.post('LD', { ...stamp(options.wallTime()), 'V#': '1.0', IF: options.family })
  for (const [RI, names] of options.wanted) end.post('LR', { RI, FL: names.join('') })
  void answer(link)
}

/**
 * Sends LA. All LS that arrive before it is sent, and in the second after it, have one more answer together: a flood of them would cut an
 * announcement short.
 */
async function answer(link: Link): Promise<void> {
  const { clock, wallTime, patience } = link.options
  link.isAnswering = true
  await link.end.send('LA', stamp(wallTime())).catch(() => {})
  await clock.sleep(restMs * patience, { ref: false })
  link.isAnswering = false
  if (!link.isAskedAgain) return
  link.isAskedAgain = false
  linkRecords.LS?.(link)
}
