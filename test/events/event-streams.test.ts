import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type EventStreams, eventStreams, type StreamOptions } from '../../src/events/event-streams.ts'
import type { Feed, FeedEvent } from '../../src/events/feed.ts'
import { eventOf } from '../../src/events/journal-event.ts'
import { until } from '../access/house-with-doors.ts'
import { testClock } from '../test-clock.ts'

const clock = testClock({ always: false })
after(() => clock.retire())
const origin = { source: 'urn:property:1', houseId: '1', nameOf: () => null }
const kind = { scope: 'units.read', resource: null }

function heardOf(sequence: number): FeedEvent {
  const line = {
    sequence,
    at: 0,
    type: 'unit.changed',
    subject: 'units/1',
    data: {},
    actor: 'a',
    requestId: null,
  }
  return { sequence, kind, event: eventOf(line, kind, origin) }
}

/** A journal of so many lines, which tells how often it was read. */
function longFeed(lines: number) {
  const listeners = new Set<() => void>()
  const self = { lines, oldest: 0, reads: 0 }
  const feed: Feed = {
    after(sequence, limit) {
      self.reads++
      const last = Math.min(sequence + limit, self.lines)
      const events = Array.from({ length: last - sequence }, (_, index) => heardOf(sequence + index + 1))
      return { events, last, more: last < self.lines }
    },
    before: (last) => ({ events: [], last, more: false }),
    since: () => self.lines + 1,
    kept: () => self.oldest,
    has: (sequence) => sequence > self.oldest && sequence <= self.lines,
    newest: () => self.lines,
    changed(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {},
  }
  const tell = () => {
    for (const each of listeners) each()
  }
  return { feed, self, tell }
}

function open(feed: Feed, options: Partial<StreamOptions> = {}): EventStreams {
  return eventStreams({ feed, clock, heartbeatMs: 10, ...options })
}

const listen = (streams: EventStreams, more = {}): Readable =>
  streams.open({ by: 'one', after: 0, isWanted: () => true, isLet: () => true, ...more })

describe('a stream of events', () => {
  it('reads no further than its client, and disconnects one that does not read', async () => {
    const { feed, self } = longFeed(100_000)
    const streams = open(feed, { heartbeatMs: 15_000 })
    const stream = listen(streams)
    stream.once('readable', () => stream.read())
    for (let turns = 0; turns < 50; turns++) await nextTurn()
    assert.ok(self.reads >= 1 && self.reads <= 3, `${self.reads} pages`)
    await clock.during(clock.sleep(76_000))
    await until(
      'its end',
      () => stream.destroyed,
      (isOver) => isOver,
    )
    streams.close()
  })

  it('is complete for a slow client', async () => {
    const { feed } = longFeed(2_000)
    const streams = open(feed)
    const stream = listen(streams)
    let text = ''
    for await (const chunk of stream) {
      text += chunk
      await nextTurn()
      if (text.includes('"sequence":"00000000000000002000"')) break
    }
    assert.equal(text.match(/^data: /gm)?.length, 2_000)
    streams.close()
  })

  it('sends heartbeats when nothing happens', async () => {
    const streams = open(longFeed(0).feed)
    const chunks = await clock.during(listen(streams).take(3).toArray())
    assert.match(chunks[1], /^event: beat\ndata: \{"time":"[-:.\dTZ]+"\}\nid: 0{20}\n\n$/)
    streams.close()
  })

  it('advances the id over events that its client may not see', async () => {
    const streams = open(longFeed(5_000).feed)
    const told = listen(streams, { isWanted: () => false })
    await clock.during(
      (async () => {
        for await (const chunk of told) {
          assert.doesNotMatch(chunk, /specversion/)
          if (chunk.includes('00000000000000005000')) break
        }
      })(),
    )
    streams.close()
  })

  it('ends when unsent events were purged', async () => {
    const { feed, self, tell } = longFeed(10)
    const streams = open(feed)
    const stream = listen(streams, { after: 5 })
    stream.resume()
    await until(
      'a page',
      () => self.reads,
      (reads) => reads > 0,
    )
    self.oldest = 20
    tell()
    await until(
      'its end',
      () => stream.readableEnded,
      (isOver) => isOver,
    )
    streams.close()
  })

  it('is refused when there are too many, for one client and for all', () => {
    const streams = open(longFeed(0).feed)
    const some = (by: string, count: number) => Array.from({ length: count }, () => listen(streams, { by }))
    const busy = { code: 'busy' }
    const first = some('a', 16)
    assert.throws(() => listen(streams, { by: 'a' }), busy)
    const all = ['b', 'c', 'd'].flatMap((by) => some(by, 16))
    assert.throws(() => listen(streams, { by: 'e' }), busy)
    for (const stream of [...first, ...all]) stream.destroy()
    streams.close()
  })

  it('is replaced as soon as its client has disconnected', async () => {
    const { feed } = longFeed(0)
    const streams = open(feed, { heartbeatMs: 600_000 })
    for (let times = 0; times < 100; times++) {
      const stream = listen(streams)
      stream.on('data', () => {})
      // Now it waits for what happens next.
      for (let turns = 0; turns < 3; turns++) await nextTurn()
      stream.destroy()
    }
    streams.close()
  })

  it('ends with the appliance', async () => {
    const streams = open(longFeed(0).feed)
    const stream = listen(streams)
    stream.resume()
    await nextTurn()
    streams.close()
    await until(
      'its end',
      () => stream.readableEnded,
      (isOver) => isOver,
    )
    assert.throws(() => listen(streams), { code: 'starting-up' })
  })
})
