import type { OlderKeyTexts } from './en.ts'

export const es: OlderKeyTexts = {
  title: 'Llaves que aún pueden abrir',
  meaning: 'Estas tarjetas y códigos ya no deben abrir nada, pero aún no está comprobado.',
  none: 'Está comprobado que toda tarjeta que debe estar anulada lo está.',
  until: (time) => `puede abrir hasta ${time}`,
  whatToDo: 'Qué hacer:',
  noNewer:
    'Ninguna tarjeta de esta habitación abre ahora. Haga primero una para el próximo huésped o borre la tarjeta antigua.',
  itOpened: 'La tarjeta nueva abrió esta puerta',
  card: (start) => `tarjeta ${start}…`,
  pin: 'código',
  validUntil: (time) => `hecha para abrir hasta ${time}`,
  status: (status) =>
    ({
      blocked: 'perdida',
      superseded: 'sustituida',
      expired: 'caducada',
      revocationPending: 'retirada, sin confirmar',
      invalidated: 'retirada',
      unknown: 'desconocido',
    })[status] ?? status,
  guest: 'Huésped',
  next: 'Habitación siguiente',
  previous: 'Habitación anterior',
  open: 'Abrir',
}
