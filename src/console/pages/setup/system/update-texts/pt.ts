import type { UpdateTexts } from '../update-texts.ts'

export const pt: UpdateTexts = {
  running: (version, slot) =>
    slot ? `Corre a versão ${version}, na partição ${slot}.` : `Corre a versão ${version}.`,
  noImage:
    'O nightporter foi instalado à mão neste computador e por isso não se pode atualizar sozinho. Pare o programa, substitua a pasta pela nova e inicie-o de novo.',
  newest: 'Não se conhece nenhuma versão mais nova.',
  available: (version) => `A versão ${version} está disponível`,
  security: 'Segurança',
  later: 'Mais tarde',
  install: 'Atualizar agora ...',
  check: 'Procurar atualizações',
  checkedAt: (at) => `Última procura: ${at}`,
  heldUntil: (at) => `Adiado até ${at}`,
  resume: 'Não adiar mais',
  notOurTurn: (percent) =>
    `${percent} % dos equipamentos recebem-na primeiro, e este não está entre eles. Pode instalá-la mesmo assim.`,
  automatic: {
    none: 'O equipamento não instala nada por si.',
    security: (window) => `O equipamento instala por si as atualizações de segurança, entre ${window}.`,
    all: (window) => `O equipamento instala por si as atualizações, entre ${window}.`,
  },
  dialog: (version) => `Atualizar para a versão ${version}`,
  how: 'O equipamento carrega a nova versão, faz uma cópia e reinicia durante dois ou três minutos quando não há nenhum cartão a caminho nem nenhum hóspede no quiosque. Se a nova versão não funcionar com os seus dispositivos e dados, a antiga volta a correr.',
  restartNow: 'Reiniciar logo que possível',
  restartAtNight: (window) => `Reiniciar entre ${window}`,
  withoutBackup: 'Sem cópia (só para um equipamento sem chave de recuperação)',
  begin: 'Começar',
  underWay: (version) => `Atualização para a versão ${version}`,
  steps: {
    downloading: 'Carregar e verificar',
    'backing-up': 'Fazer uma cópia',
    installing: 'Instalar',
    installed: 'Esperar um momento calmo',
    restarting: 'Reiniciar',
    trial: 'Experimentar a nova versão',
  },
  lacks: 'À prova ainda falta:',
  keep: 'Manter a nova versão mesmo assim',
  results: {
    confirmed: (version, at) => `A atualização para a versão ${version} correu bem em ${at}.`,
    'rolled-back': (version, at) =>
      `A atualização para a versão ${version} foi desfeita em ${at}. A versão antiga corre de novo com todos os dados.`,
    failed: (version, at) => `A atualização para a versão ${version} falhou em ${at}.`,
  },
}
