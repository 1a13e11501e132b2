// Table of all commands: the source of the shortcuts, the palette, the menus and the help.
import type { Command, CommandContext } from './command.ts';
import { ACCESS_COMMANDS } from './access-commands.ts';
import { APPROVAL_COMMANDS } from './approval-commands.ts';
import { FOUND_COMMANDS } from './found-commands.ts';
import { LADDER_COMMANDS } from './ladder-commands.ts';
import { LOG_COMMANDS } from './log-commands.ts';
import { isShownOne, processStore } from '../state/processes/process-store.ts';
import { PAGE_COMMANDS, LIST_COMMANDS } from './page-commands.ts';
import { layoutCommands, PANE_COMMANDS } from './pane-commands.ts';
import { giveControlCommands, PROCESS_COMMANDS } from './process-commands.ts';
import { savedCommandCommands } from './saved-command-commands.ts';
import { READING_COMMANDS } from './reading-commands.ts';

export const COMMANDS: readonly Command[] = [
  ...APPROVAL_COMMANDS,
  ...LADDER_COMMANDS,
  ...PAGE_COMMANDS,
  ...LIST_COMMANDS,
  ...PANE_COMMANDS,
  ...FOUND_COMMANDS,
  ...READING_COMMANDS,
  ...LOG_COMMANDS,
  ...ACCESS_COMMANDS,
  ...PROCESS_COMMANDS,
];

/**
 * Ids of the commands available on a page that shows a single shared process, in addition to those that show or save
 * its output.
 */
const FOR_ONE: ReadonlySet<string> = new Set(['about', 'settings', 'lightTheme', 'darkTheme']);

/** True for a command that this page offers: a page that shows a single shared process offers only a few. */
export const isOffered = ({ id, menu }: Command): boolean =>
  !isShownOne(processStore.getState()) || menu === 'Output' || menu === 'Save' || FOR_ONE.has(id);

/** Commands that are available now, including those for people, saved layouts and saved commands. */
export const enabledCommands = (context: CommandContext): readonly Command[] =>
  [...COMMANDS, ...giveControlCommands(context), ...layoutCommands(), ...savedCommandCommands()].filter(
    (command) => isOffered(command) && command.when(context),
  );
