import { plural } from '../../lib/language/format.ts'
import type { DeskTexts } from '../texts.ts'

export const es: DeskTexts = {
  screens: {
    today: 'Hoy',
    rack: 'Plano de habitaciones',
    rooms: 'Habitaciones',
    keys: 'Tarjetas que aún pueden abrir',
    devices: 'Dispositivos',
    conflicts: 'Conflictos con el PMS',
    activity: 'Actividad',
    walkIn: 'Sin reserva',
    lobby: 'Vestíbulo de prueba',
  },
  frame: {
    place: 'Recepción',
    alarms: (count) => plural(count, { one: '1 alarma', other: `${count} alarmas` }),
    keysMayOpen: (count) => `Tarjetas que aún pueden abrir: ${count}`,
    screens: 'Pantallas',
    live: 'Conectado',
    noLine: 'Sin conexión con el equipo',
    oldSince: (time) => `Sin conexión con el equipo: lo que ve es de las ${time}`,
    oldWhy:
      'No se puede cambiar nada hasta que vuelva la conexión, y nada de lo que pulse se envía después. La página sigue sola.',
    lock: 'Bloquear',
    keysHelp: 'Teclas',
    letters: 'Las letras solas son atajos',
    notAllowed: 'Su función no muestra esta página.',
    skip: 'Al contenido',
  },
  clockDoubt: {
    ask: (shown) => `¿Son correctos el día y la hora: ${shown}?`,
    why: 'El equipo estuvo apagado, o se ajustó su reloj, y desde entonces nada ha confirmado su hora. En un día equivocado no se encuentra a los huéspedes y las tarjetas abren en días equivocados. Si no es correcta, no haga tarjetas y llame al administrador.',
    isRight: 'Sí, es correcta',
  },
  waiting: {
    call: (kiosk, time) => `Un huésped en ${kiosk} necesita a una persona desde las ${time}.`,
    aKiosk: 'un quiosco',
    take: 'Ya voy',
    code: (code) => `Código ${code}.`,
    speaks: (language) => `El huésped eligió ${language}.`,
    doing: {
      start: 'El huésped estaba en la primera página.',
      search: 'El huésped buscaba la reserva.',
      booking: 'El huésped miraba la reserva.',
      registration: 'El huésped se estaba registrando.',
      payment: 'El huésped iba a pagar.',
      card: 'El huésped iba a recibir la tarjeta.',
      'check-out': 'El huésped iba a hacer la salida.',
    },
    guest: (code, time) => `Un huésped del quiosco espera desde las ${time}. Código ${code}.`,
    failures: {
      'guest-asks': 'El huésped pidió ayuda.',
      'stay-over':
        'Ha llegado la hora de salida de la estancia. Fije una posterior; después el huésped sigue en el quiosco.',
      'check-out-without-card':
        'El huésped quiere hacer la salida y no tiene tarjeta que mostrar. Si está seguro de quién es, haga la salida o autorícela en el quiosco.',
      'card-not-read':
        'La máquina se ha quedado una tarjeta que no pudo leer. Haga la salida cuando esté seguro de quién es.',
      'card-lost': 'El huésped ha perdido la tarjeta.',
      'balance-outstanding': 'El huésped tiene que pagar.',
      'registration-required': 'Hay que registrar a un huésped.',
      'payment-refused': 'El pago fue rechazado.',
      'payment-outcome-unknown': 'No se sabe si el huésped ha pagado.',
    },
    steps: {
      room: 'El quiosco no pudo asignar una habitación.',
      'check-in': 'El quiosco no pudo registrar la llegada del huésped.',
      'check-out': 'El quiosco no pudo registrar la salida del huésped.',
      payment: 'El quiosco no pudo cobrar el pago.',
      card: 'El quiosco no pudo hacer la tarjeta.',
    },
    open: 'Abrir el huésped',
    helped: 'Huésped atendido',
    soundOn: 'Sonido para un huésped que espera: sí',
    soundOff: 'Sonido para un huésped que espera: no',
  },
  person: {
    changePasscode: 'Cambiar el código',
    changePassword: 'Cambiar la contraseña',
    presentSecret: 'Código o contraseña actual',
    secretChanged: 'Cambiado. Use el nuevo desde ahora.',
    ownSessions: 'Dónde ha iniciado sesión',
    thisSession: 'aquí',
    lastUsed: (time) => `último uso ${time}`,
    endSession: 'Cerrar',
  },
  pms: {
    inStep: 'PMS: al día',
    behind: (waiting, seconds) => `PMS: ${waiting} por enviar, ${seconds} s de retraso`,
    awaySince: (time, waiting) =>
      `Sin conexión con el PMS desde las ${time}. ${waiting} por enviar; no se pierde nada.`,
    away: (waiting) => `Sin conexión con el PMS. ${waiting} por enviar; no se pierde nada.`,
  },
}
