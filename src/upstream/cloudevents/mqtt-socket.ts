import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { MqttSettings } from './mqtt-settings.ts'
import { guardPackets } from './packet-guard.ts'

/** A connection to the broker that takes no larger packet. Over TLS nothing is said to a broker who cannot prove his name. */
export function mqttSocket({ host, port, tls }: MqttSettings, largestPacket: number): Socket {
  const socket = tls ? connectTls({ host, port, ...tls, minVersion: 'TLSv1.2' }) : connectTcp({ host, port })
  socket.setNoDelay(true)
  guardPackets(socket, largestPacket)
  return socket
}
