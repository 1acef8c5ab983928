import type { Access } from '../access/access.ts'
import type { ConfigOptions } from '../access/controllers/config-routes.ts'
import type { KeyServices } from '../access/key-services/key-services.ts'
import type { RateLimits } from '../auth/limits/rate-limits.ts'
import type { Pairing } from '../auth/pairing-code.ts'
import type { TokenEnvironment } from '../auth/secrets/token-format.ts'
import type { SessionContext } from '../auth/sessions/session-context.ts'
import type { Backups } from '../backup/backups.ts'
import type { Restores } from '../backup/restore/restores.ts'
import type { Sheets } from '../backup/sheet/sheet-routes.ts'
import type { Deliveries } from '../backup/targets/deliveries.ts'
import type { NetworkChanges } from '../box/network/network-changes.ts'
import type { SupportConsole } from '../box/support/support-console.ts'
import type { ServedCertificates } from '../certificate/certificate-state.ts'
import type { SimulatedLobby } from '../demo/simulated-lobby.ts'
import type { PortMemory } from '../devices/wires/usb-ports.ts'
import type { EventRouteOptions } from '../events/event-routes.ts'
import type { WebhookRouteOptions } from '../events/webhooks/webhook-routes.ts'
import type { JudgedClock } from '../host/judged-clock.ts'
import type { KeptLog } from '../host/kept-log.ts'
import type { LogStreams } from '../logging/log-routes.ts'
import type { Pms } from '../pms/pms.ts'
import type { PmsConfigOptions } from '../pms/routes/configuration-routes.ts'
import type { Recorder } from '../recorder/recorder.ts'
import type { Scratch } from '../resource/keeper.ts'
import type { MetricsOptions } from '../status/metrics/metrics-routes.ts'
import type { StatusOptions } from '../status/status-facts.ts'
import type { Terminals } from '../terminal/terminals.ts'
import type { OpenUpdates } from '../update/open-updates.ts'

/** What the interfaces work with. */
export interface InterfaceOptions {
  /** The program itself, which the built pages lie beside. */
  entry: URL
  access: Access
  /** Opens a store for a trial, which is to be closed. */
  scratch(): Scratch
  keyServices: KeyServices
  terminals: Terminals
  pms: Pms
  /** Where the devices of this machine were. */
  ports: PortMemory
  clock: JudgedClock
  status: StatusOptions
  securityContact: string | null
  supportRecipient: string | null
  metrics: Omit<MetricsOptions, 'status'>
  config: ConfigOptions
  pmsConfig: PmsConfigOptions
  events: Pick<EventRouteOptions, 'feed' | 'streams'> & WebhookRouteOptions
  /** Sessions and accounts. */
  staff: SessionContext
  tokens: { environment: TokenEnvironment; pairing: Pairing | null }
  rateLimits: RateLimits
  log: { lines: KeptLog; streams: LogStreams }
  /** Null when the property records nothing. */
  recorder: Recorder | null
  backups: Backups
  /** The file with the settings of the program; null where nothing can change it. */
  settingsFile: string | null
  sheets: Sheets
  deliveries: Deliveries
  restores: Restores
  certificates: ServedCertificates
  updates: OpenUpdates
  network: NetworkChanges
  support: SupportConsole
  lobby: SimulatedLobby
  unseal(sealed: string, context: string): string
}
