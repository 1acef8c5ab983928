import { connect as connectTcp, type Socket } from 'node:net'
import { guarded, peerPolicies } from '../../../../devices/network/peer-address.ts'
import { tls as tlsOfNode } from '../../../../devices/network/tls.ts'
import { guardPackets } from './packet-guard.ts'
import type { MqttSettings } from './settings.ts'

/**
 * A connection to the broker with a limit for incoming packets. Over TLS nothing is sent before the broker's
 * certificate is verified. Throws AddressRefused, or fails with it, for a forbidden address.
 */
export function mqttSocket({ url, host, port, tls }: MqttSettings, largestPacket: number): Socket {
  const peer = { host, port, ...guarded(url, peerPolicies.broker) }
  const socket = tls ? tlsOfNode().connect({ ...peer, ...tls, minVersion: 'TLSv1.2' }) : connectTcp(peer)
  socket.setNoDelay(true)
  guardPackets(socket, largestPacket)
  return socket
}
