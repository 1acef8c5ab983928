import { isIP } from 'node:net'
import { peerPolicies, urlProblem } from '../../../../devices/network/peer-address.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import { Problem } from '../../../../resource/problem.ts'
import type { CarrierSetup } from '../carrier.ts'
import { checkTls, type TlsSettings, tlsConnection, tlsCredentials } from '../tls-settings.ts'
import { defaultPrefix, type Topics, topicsOf } from './topics.ts'

/** The `connection` of a configuration with a broker. */
export const mqttConnection: Record<string, JsonSchema> = {
  broker: {
    type: 'string',
    maxLength: 300,
    pattern: '^mqtts?://(\\[[0-9A-Fa-f:.]+\\]|[\\w.-]+)(:\\d{1,5})?$',
    $comment: 'mqtts://HOST, mqtts://HOST:PORT, or mqtt:// within the local network',
    description:
      'The address of the MQTT 5 broker, such as `mqtts://broker.example`. `mqtt://` is only for the local network.',
  },
  topicPrefix: {
    type: 'string',
    maxLength: 200,
    pattern: '^[^+#/$\\u0000]([^+#\\u0000]*[^+#/\\u0000])?$',
    $comment: 'a topic without wildcards that neither starts nor ends with a slash',
    description: `Before all topics; \`{propertyId}\` is that of this house. \`${defaultPrefix}\` unless said otherwise; a second configuration at the same broker needs another.`,
  },
  brokerName: {
    type: 'string',
    maxLength: 253,
    pattern: '^[\\w.-]+$',
    $comment: 'a host name',
    description: 'The name in the certificate of the broker, if it differs from the host.',
  },
  ...tlsConnection,
}

/** Its `credentials` for a broker. */
export const mqttCredentials: Record<string, JsonSchema> = {
  username: { type: 'string', minLength: 1, maxLength: 200 },
  password: { type: 'string', minLength: 1, maxLength: 1_000 },
  ...tlsCredentials,
}

interface MqttConfiguration extends TlsSettings {
  broker: string
  topicPrefix?: string
  brokerName?: string
  username?: string
  password?: string
}

function configured(
  connection: Record<string, unknown>,
  credentials: Record<string, unknown>,
): MqttConfiguration {
  const { broker = '', ...others } = { ...connection, ...credentials } as Partial<MqttConfiguration>
  return { broker, ...others }
}

/** Throws validation-failed for errors that the schemas cannot express. */
export function checkMqtt(connection: Record<string, unknown>, credentials: Record<string, unknown>): void {
  const given = configured(connection, credentials)
  const wrong = urlProblem('broker', given.broker, peerPolicies.broker)
  if (wrong) throw invalid('/connection/broker', wrong)
  if (given.password !== undefined && given.username === undefined) {
    throw invalid('/credentials/username', 'username is required with a password.')
  }
  if (given.clientKey !== undefined && !given.broker.startsWith('mqtts:')) {
    throw invalid('/credentials/clientKey', 'clientKey is for a broker over TLS: mqtts://HOST.')
  }
  checkTls(given)
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}

/** A broker and the settings of its connection. */
export interface MqttSettings {
  url: URL
  host: string
  port: number
  /** Null without TLS. */
  tls: { servername?: string; ca?: string; cert?: string; key?: string } | null
  username: string | undefined
  password: string | undefined
  /** Constant for the life of the configuration: the broker identifies the session by it. */
  clientId: string
  topics: Topics
  keepaliveSeconds: number
  /** How long an acknowledgement or a reply is awaited. */
  patienceMs: number
}

/** Parses a validated connection and validated credentials. */
export function mqttSettings(setup: CarrierSetup): MqttSettings {
  const given = configured(setup.connection, setup.credentials)
  const url = new URL(given.broker)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'mqtts:'
  const propertyId = setup.source().replace(/^urn:property:/, '')
  const clientId = `nightporter-${propertyId}-${setup.configurationId}`
  return {
    url,
    host,
    port: Number(url.port) || (isSecure ? 8883 : 1883),
    tls: isSecure ? tlsOf(given, host) : null,
    username: given.username,
    password: given.password,
    clientId,
    topics: topicsOf((given.topicPrefix ?? defaultPrefix).replaceAll('{propertyId}', propertyId), clientId),
    keepaliveSeconds: setup.heartbeatSeconds,
    patienceMs: setup.timeoutMs,
  }
}

/** The broker's certificate is checked for `brokerName`, or for the host unless that is an IP address. */
function tlsOf({ brokerName, serverCa, clientCertificate, clientKey }: MqttConfiguration, host: string) {
  const servername = brokerName ?? (isIP(host) === 0 ? host : undefined)
  return {
    ...(servername && { servername }),
    ...(serverCa && { ca: serverCa }),
    ...(clientCertificate && { cert: clientCertificate }),
    ...(clientKey && { key: clientKey }),
  }
}
