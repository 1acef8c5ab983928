import { plural } from '../../../lib/language/format.ts'
import type { OlderKeyTexts } from '../texts.ts'

export const es: OlderKeyTexts = {
  title: 'Tarjetas que aún pueden abrir',
  meaning: 'Estas tarjetas y códigos ya no deben abrir nada, pero aún no está comprobado.',
  none: 'Ninguna tarjeta sustituida, perdida o vencida abre una puerta que no debe abrir. Está comprobado para cada una.',
  gone: (room, why) => `${room}: ${why}`,
  proofs: {
    'card-erased': 'la tarjeta se ha borrado.',
    'lock-acknowledged': 'el sistema de cerraduras ha confirmado que ya no abre esta puerta.',
    'newer-original-used':
      'una tarjeta más reciente ha abierto la puerta y la cerradura rechaza la anterior.',
    'validity-over': 'su tiempo ha terminado, también según el reloj de la cerradura.',
    'never-made': 'ninguna cerradura la ha recibido nunca.',
  },
  until: (time) => `puede abrir hasta ${time}`,
  whatToDo: 'Qué hacer:',
  renew:
    'Guarde la tarjeta si el huésped la ha devuelto. Si no, haga una primera tarjeta nueva para el huésped de esta habitación, abra la puerta con ella una vez y pulse el botón que entonces aparece aquí. Si la habitación está vacía, la primera tarjeta del próximo huésped anula las anteriores.',
  noNewer:
    'Ninguna tarjeta de esta habitación abre ahora. Haga primero una para el próximo huésped o borre la tarjeta antigua.',
  itOpened: 'La tarjeta nueva abrió esta puerta',
  openedTitle: (room) => `¿La tarjeta nueva ha abierto la ${room}?`,
  openedWhich: (uid, time) =>
    `Es la primera tarjeta más reciente de la habitación, hecha ${time}${uid ? ` (${uid})` : ''}.`,
  openedWhy:
    'Confírmelo solo si alguien ha abierto la puerta con esta tarjeta. Las tarjetas anteriores de la habitación constan entonces como anuladas.',
  card: (start) => `tarjeta ${start}…`,
  pin: 'código',
  validUntil: (time) => `hecha para abrir hasta ${time}`,
  status: (status) =>
    ({
      live: 'válida',
      virtual: 'no enviada',
      blocked: 'perdida',
      superseded: 'sustituida',
      expired: 'caducada',
      revocationPending: 'retirada, sin confirmar',
      invalidated: 'retirada',
      unknown: 'desconocido',
    })[status] ?? status,
  guest: 'Huésped',
  asked: (count, next) =>
    plural(count, {
      one: `preguntado una vez, sin confirmar; próxima pregunta a las ${next}`,
      other: `preguntado ${count} veces, sin confirmar; próxima pregunta a las ${next}`,
    }),
  askNow: 'Preguntar ahora',
  isOld: (room) => `Esta tarjeta es para ${room} y quizá aún la abra.`,
  isOldCommon: (room, doors) => `Esta tarjeta es para ${room}. Ya no la abre, pero aún abre ${doors}.`,
  isOther: (room) => `Esta tarjeta es para ${room}. No es una tarjeta de esta lista y queda como está.`,
  erase: 'Borrarla',
  unknownTitle: 'Habitaciones que revisar tras la restauración',
  unknownWhy: (from, until) =>
    `Las tarjetas hechas del ${from} al ${until} no se conocen aquí y quizá abran estas habitaciones.`,
  unknownRemedy:
    'Haga una tarjeta nueva para cada habitación cuando cambie su huésped, abra la puerta con ella una vez e indique que abrió. O revise la habitación e indíquelo.',
  checked: 'Revisada',
  next: 'Habitación siguiente',
  previous: 'Habitación anterior',
  open: 'Abrir',
}
