import { plural } from '../../lib/language/format.ts'
import type { DeskTexts } from '../texts.ts'

export const pt: DeskTexts = {
  screens: {
    today: 'Hoje',
    rack: 'Mapa de quartos',
    rooms: 'Quartos',
    keys: 'Cartões que ainda podem abrir',
    devices: 'Dispositivos',
    conflicts: 'Conflitos com o PMS',
    activity: 'Atividade',
    walkIn: 'Sem reserva',
    lobby: 'Átrio de demonstração',
  },
  frame: {
    place: 'Receção',
    alarms: (count) => plural(count, { one: '1 alarme', other: `${count} alarmes` }),
    keysMayOpen: (count) => `Cartões que ainda podem abrir: ${count}`,
    screens: 'Ecrãs',
    live: 'Ligado',
    noLine: 'Sem ligação à caixa',
    oldSince: (time) => `Sem ligação à caixa: o que vê é das ${time}`,
    oldWhy:
      'Nada pode ser alterado até a ligação voltar, e nada do que carregar é enviado depois. A página continua sozinha.',
    lock: 'Bloquear',
    keysHelp: 'Teclas',
    letters: 'As letras sozinhas são atalhos',
    notAllowed: 'A sua função não mostra esta página.',
    skip: 'Para o conteúdo',
  },
  clockDoubt: {
    ask: (shown) => `O dia e a hora estão certos: ${shown}?`,
    why: 'O equipamento esteve desligado, ou o relógio foi acertado, e desde então nada confirmou a hora. Num dia errado, os hóspedes não são encontrados e os cartões abrem nos dias errados. Se estiver errada, não faça cartões e chame o administrador.',
    isRight: 'Sim, está certa',
  },
  waiting: {
    call: (kiosk, time) => `Um hóspede em ${kiosk} precisa de uma pessoa desde as ${time}.`,
    aKiosk: 'um quiosque',
    take: 'Vou a caminho',
    code: (code) => `Código ${code}.`,
    speaks: (language) => `O hóspede escolheu ${language}.`,
    doing: {
      start: 'O hóspede estava na primeira página.',
      search: 'O hóspede procurava a reserva.',
      booking: 'O hóspede via a reserva.',
      registration: 'O hóspede fazia o registo.',
      payment: 'O hóspede ia pagar.',
      card: 'O hóspede ia receber o cartão.',
      'check-out': 'O hóspede ia fazer o check-out.',
    },
    guest: (code, time) => `Um hóspede do quiosque espera desde as ${time}. Código ${code}.`,
    failures: {
      'guest-asks': 'O hóspede pediu ajuda.',
      'stay-over':
        'Chegou a hora de saída da estadia. Marque uma posterior; depois o hóspede continua no quiosque.',
      'check-out-without-card':
        'O hóspede quer fazer o check-out e não tem cartão para mostrar. Se tem a certeza de quem é, faça o check-out ou autorize-o no quiosque.',
      'card-not-read':
        'A máquina ficou com um cartão que não conseguiu ler. Faça o check-out quando tiver a certeza de quem é.',
      'card-lost': 'O hóspede perdeu o cartão.',
      'balance-outstanding': 'O hóspede tem de pagar.',
      'registration-required': 'É preciso registar um hóspede.',
      'payment-refused': 'O pagamento foi recusado.',
      'payment-outcome-unknown': 'Não se sabe se o hóspede pagou.',
    },
    steps: {
      room: 'O quiosque não conseguiu atribuir um quarto.',
      'check-in': 'O quiosque não conseguiu fazer o check-in do hóspede.',
      'check-out': 'O quiosque não conseguiu fazer o check-out do hóspede.',
      payment: 'O quiosque não conseguiu receber o pagamento.',
      card: 'O quiosque não conseguiu fazer o cartão.',
    },
    open: 'Abrir o hóspede',
    helped: 'O hóspede foi atendido',
    soundOn: 'Som para um hóspede que espera: sim',
    soundOff: 'Som para um hóspede que espera: não',
  },
  person: {
    changePasscode: 'Mudar o código',
    changePassword: 'Mudar a palavra-passe',
    presentSecret: 'Código ou palavra-passe atual',
    secretChanged: 'Mudado. Use o novo a partir de agora.',
    ownSessions: 'Onde iniciou sessão',
    thisSession: 'aqui',
    lastUsed: (time) => `último uso ${time}`,
    endSession: 'Terminar',
  },
  pms: {
    inStep: 'PMS: em dia',
    behind: (waiting, seconds) => `PMS: ${waiting} por enviar, ${seconds} s de atraso`,
    awaySince: (time, waiting) =>
      `Sem ligação ao PMS desde as ${time}. ${waiting} por enviar; nada se perde.`,
    away: (waiting) => `Sem ligação ao PMS. ${waiting} por enviar; nada se perde.`,
  },
}
