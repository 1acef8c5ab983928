import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { guarded, peerPolicies } from '../../devices/network/peer-address.ts'
import type { MqttSettings } from './mqtt-settings.ts'
import { guardPackets } from './packet-guard.ts'

/**
 * A connection to the broker that takes no larger packet. Over TLS nothing is said to a broker who cannot prove his name. Throws
 * AddressRefused, or has it as its error, for an address that must not be spoken to.
 */
export function mqttSocket({ url, host, port, tls }: MqttSettings, largestPacket: number): Socket {
  const peer = { host, port, ...guarded(url, peerPolicies.broker) }
  const socket = tls ? connectTls({ ...peer, ...tls, minVersion: 'TLSv1.2' }) : connectTcp(peer)
  socket.setNoDelay(true)
  guardPackets(socket, largestPacket)
  return socket
}
