import { createServer, type Server, type Socket } from 'node:net'
import type {
  IConnectPacket,
  IPubackPacket,
  IPublishPacket,
  ISubscribePacket,
  IUnsubscribePacket,
  Packet,
} from 'mqtt-packet'
import { ownPort } from '../../../../../own-port.ts'
import { type Link, openLink, type Passing, type Verdict } from './broker-link.ts'
import {
  type BrokerSession,
  type Message,
  messageOf,
  mostQueued,
  newSession,
  nextPacketId,
  packetOf,
} from './broker-session.ts'
import { matches, sharedBy } from './topic-filter.ts'

/**
 * An MQTT 5 broker within the test: sessions that outlive connections, QoS 0 and 1, retained messages, wills, `+`, `#` and
 * `$share`, expiry of sessions and messages, passwords, and a judge of every packet that passes.
 */
export interface MqttBroker {
  /** `mqtt://127.0.0.1:PORT`; the same after a restart. */
  url: string
  /** Decides what becomes of each packet; passes all of them until a test sets another. */
  judge: (passing: Passing) => Verdict
  /** What passed or was to, oldest first. */
  passed: Passing[]
  /** Who may publish and subscribe where; everybody everywhere until a test says otherwise. */
  allows: (clientId: string, action: 'publish' | 'subscribe', topic: string) => boolean
  retained: ReadonlyMap<string, Message>
  connected(): string[]
  sessions(): string[]
  /** Publishes as somebody whom no test needs to see. */
  publish(packet: Pick<IPublishPacket, 'topic' | 'payload'> & Partial<IPublishPacket>): void
  /** Cuts a client's connection without a word; his will is sent. */
  cut(clientId: string): void
  /** Is gone from one moment to the next, with all connections. */
  kill(): Promise<void>
  /** Is there again, with what it knew or without. */
  start(how?: { forgetting: boolean }): Promise<void>
}

export interface BrokerOptions {
  /** Passwords by user; without it everybody may connect. */
  users?: Record<string, string>
  /** Unix milliseconds, for what expires; nothing does unless said otherwise. */
  now?: () => number
  /** What it tells each client in its CONNACK. */
  properties?: { receiveMaximum?: number; maximumPacketSize?: number; maximumQoS?: number }
}

const reasons = {
  noSubscribers: 16,
  badPassword: 134,
  notAuthorized: 135,
  takenOver: 142,
  filterInvalid: 143,
}
/** The reason of a DISCONNECT that leaves the will standing. */
const withWill = 4
const mostPassed = 100_000

export async function startMqttBroker(options: BrokerOptions = {}): Promise<MqttBroker> {
  const now = options.now ?? (() => 0)
  const sessions = new Map<string, BrokerSession>()
  const links = new Map<string, Link>()
  const wills = new Map<Link, NonNullable<IConnectPacket['will']>>()
  const receiveMaxima = new Map<Link, number>()
  /** Seconds that a session outlives its connection. */
  const lasting = new Map<string, number>()
  const retained = new Map<string, Message>()
  const turns = new Map<string, number>()
  const sockets = new Set<Socket>()
  let server: Server | null = null
  const port = await ownPort()

  const broker: MqttBroker = {
    url: `mqtt://127.0.0.1:${port}`,
    judge: () => 'pass',
    passed: [],
    allows: () => true,
    retained,
    connected: () => [...links.keys()],
    sessions: () => [...living().map(({ clientId }) => clientId)],
    publish: (packet) =>
      void route(messageOf({ cmd: 'publish', qos: 1, retain: false, dup: false, ...packet }, now()), ''),
    cut: (clientId) => links.get(clientId)?.cut(),
    kill,
    start,
  }

  async function start({ forgetting } = { forgetting: false }): Promise<void> {
    if (forgetting) for (const kept of [sessions, retained]) kept.clear()
    server = createServer((socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      openLink(socket, { judge, received, closed })
    })
    const listening = Promise.withResolvers<void>()
    server.once('error', listening.reject)
    server.listen(port, '127.0.0.1', listening.resolve)
    await listening.promise
  }

  async function kill(): Promise<void> {
    wills.clear()
    const closing = Promise.withResolvers<void>()
    server?.close(() => closing.resolve())
    for (const socket of sockets) socket.destroy()
    await closing.promise
  }

  function judge(passing: Passing): Verdict {
    if (broker.passed.length < mostPassed) broker.passed.push(passing)
    return broker.judge(passing)
  }

  function received(packet: Packet, link: Link): void {
    if (packet.cmd === 'connect') {
      connected(packet, link)
      return
    }
    const session = sessions.get(link.clientId)
    if (session && links.get(link.clientId) === link) carryOut(packet, session, link)
    else link.cut()
  }

  function carryOut(packet: Packet, session: BrokerSession, link: Link): void {
    switch (packet.cmd) {
      case 'publish':
        published(packet, link)
        break
      case 'puback':
        acknowledged(packet, session)
        break
      case 'subscribe':
        subscribed(packet, session, link)
        break
      case 'unsubscribe':
        unsubscribed(packet, session, link)
        break
      case 'pingreq':
        link.send({ cmd: 'pingresp' })
        break
      case 'disconnect':
        if (packet.reasonCode !== withWill) wills.delete(link)
        link.end()
        break
      default:
        link.cut()
    }
  }

  function mayConnect({ username = '', password }: IConnectPacket): boolean {
    return !options.users || (!!password && options.users[username] === password.toString())
  }

  function connected(packet: IConnectPacket, link: Link): void {
    const { clientId, clean, properties, will } = packet
    if (!mayConnect(packet)) {
      link.send({ cmd: 'connack', reasonCode: reasons.badPassword, sessionPresent: false })
      link.end()
      return
    }
    const before = links.get(clientId)
    before?.send({ cmd: 'disconnect', reasonCode: reasons.takenOver })
    before?.end()
    const kept = clean ? undefined : living().find((each) => each.clientId === clientId)
    const session = kept ?? newSession(clientId)
    session.expiresAt = null
    sessions.set(clientId, session)
    links.set(clientId, link)
    if (will) wills.set(link, will)
    receiveMaxima.set(link, properties?.receiveMaximum ?? 0xffff)
    lasting.set(clientId, properties?.sessionExpiryInterval ?? 0)
    link.send({
      cmd: 'connack',
      reasonCode: 0,
      sessionPresent: kept !== undefined,
      properties: { maximumQoS: 1, ...options.properties },
    })
    resume(session, link)
  }

  /** What was not acknowledged is sent again, in its order, before what has waited. */
  function resume(session: BrokerSession, link: Link): void {
    for (const [messageId, message] of session.underWay) {
      const packet = packetOf(message, now())
      if (packet) link.send({ ...packet, messageId, dup: true })
      else session.underWay.delete(messageId)
    }
    drain(session)
  }

  function closed(link: Link): void {
    const will = wills.get(link)
    wills.delete(link)
    if (links.get(link.clientId) === link) {
      links.delete(link.clientId)
      const session = sessions.get(link.clientId)
      if (session) session.expiresAt = now() + (lasting.get(link.clientId) ?? 0) * 1000
    }
    if (!will) return
    const { topic, payload, qos = 0, retain = false, properties = {} } = will
    route(messageOf({ cmd: 'publish', topic, payload, qos, retain, dup: false, properties }, now()), '')
  }

  function living(): BrokerSession[] {
    for (const { clientId, expiresAt } of sessions.values()) {
      if (expiresAt !== null && expiresAt <= now()) sessions.delete(clientId)
    }
    return [...sessions.values()]
  }

  function published(packet: IPublishPacket, link: Link): void {
    const isAllowed = broker.allows(link.clientId, 'publish', packet.topic)
    const takers = isAllowed ? route(messageOf(packet, now()), link.clientId) : 0
    if (packet.qos === 0) return
    const taken = takers > 0 ? 0 : reasons.noSubscribers
    const reasonCode = isAllowed ? taken : reasons.notAuthorized
    link.send({ cmd: 'puback', messageId: packet.messageId!, reasonCode })
  }

  /** Puts it where it is wanted, and says at how many places that is. */
  function route(message: Message, from: string): number {
    if (message.retain) keep(message)
    const groups = new Map<string, { session: BrokerSession; wanted: Message }[]>()
    let takers = 0
    for (const session of living()) {
      let mine: Message | null = null
      for (const [name, { qos, nl, rap }] of session.subscriptions) {
        const { group, filter } = sharedBy(name)
        if (!matches(filter, message.topic) || (nl && session.clientId === from)) continue
        const wanted = { ...message, qos: qos === 0 ? 0 : message.qos, retain: rap ? message.retain : false }
        if (group === null) mine = mine && mine.qos > wanted.qos ? mine : wanted
        else groups.set(name, [...(groups.get(name) ?? []), { session, wanted }])
      }
      if (!mine) continue
      takers++
      give(session, mine)
    }
    for (const [name, members] of groups) {
      takers++
      const { session, wanted } = memberInTurn(name, members)
      give(session, wanted)
    }
    return takers
  }

  function keep(message: Message): void {
    if (message.payload.length === 0) retained.delete(message.topic)
    else retained.set(message.topic, message)
  }

  /** Those that are connected take turns; where none is, the first keeps it. */
  function memberInTurn<T extends { session: BrokerSession }>(name: string, members: readonly T[]): T {
    const here = members.filter(({ session }) => links.has(session.clientId))
    const turn = (turns.get(name) ?? -1) + 1
    turns.set(name, turn)
    return (here[turn % here.length] ?? members[0]) as T
  }

  function give(session: BrokerSession, message: Message): void {
    if (message.qos === 0) {
      const packet = packetOf(message, now())
      if (packet) links.get(session.clientId)?.send({ ...packet, dup: false })
      return
    }
    if (session.queue.length < mostQueued) session.queue.push(message)
    drain(session)
  }

  function drain(session: BrokerSession): void {
    const link = links.get(session.clientId)
    if (!link) return
    while (session.queue.length > 0 && session.underWay.size < (receiveMaxima.get(link) ?? 1)) {
      const message = session.queue.shift()!
      const packet = packetOf(message, now())
      if (!packet) continue
      const messageId = nextPacketId(session)
      session.underWay.set(messageId, message)
      link.send({ ...packet, messageId, dup: false })
    }
  }

  function acknowledged({ messageId = 0 }: IPubackPacket, session: BrokerSession): void {
    session.underWay.delete(messageId)
    drain(session)
  }

  function subscribed(packet: ISubscribePacket, session: BrokerSession, link: Link): void {
    const granted = packet.subscriptions.map(({ topic, qos }) =>
      broker.allows(session.clientId, 'subscribe', topic) ? Math.min(qos, 1) : reasons.notAuthorized,
    )
    const taken = packet.subscriptions.filter((_, n) => granted[n]! < 128)
    const isNew = taken.filter(({ topic }) => !session.subscriptions.has(topic))
    for (const each of taken) session.subscriptions.set(each.topic, each)
    link.send({ cmd: 'suback', messageId: packet.messageId!, granted })
    for (const each of taken) {
      if (each.rh === 2 || (each.rh === 1 && !isNew.includes(each)) || sharedBy(each.topic).group) continue
      for (const message of retained.values()) {
        if (matches(each.topic, message.topic)) give(session, { ...message, qos: each.qos === 0 ? 0 : 1 })
      }
    }
  }

  function unsubscribed(packet: IUnsubscribePacket, session: BrokerSession, link: Link): void {
    const granted = packet.unsubscriptions.map((topic) => (session.subscriptions.delete(topic) ? 0 : 17))
    link.send({ cmd: 'unsuback', messageId: packet.messageId!, granted })
  }

  await start()
  return broker
}
