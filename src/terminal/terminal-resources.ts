import { paymentTerminal } from './payment-terminal.ts'
import { terminalPayment } from './terminal-payment.ts'

/** The resources of payment terminals. */
export const terminalResources = [paymentTerminal, terminalPayment]
