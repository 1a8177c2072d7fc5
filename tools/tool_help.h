/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_help.h - what the tool tells about itself, all of it made from the tables of options.h: help, the man page
   (nnrt help --man) and the completion of three shells (nnrt help --completion bash). */
#ifndef NNRT_TOOLS_TOOL_HELP_H
#define NNRT_TOOLS_TOOL_HELP_H

#include "options.h"

static const char about_model[] =
    "MODEL is a model file that a device of this build knows (.tflite for the CPU, what the vendor's converter writes "
    "for an NPU) or a plan made by compile.";

typedef struct described {
    const char *name, *meaning;
} described;

static const described exit_codes[] = {{"0", "success"},
                                       {"1", "the library refused, or what was compared differs"},
                                       {"2", "wrong usage"},
                                       {"3", "a file cannot be read or written, or does not have the size that the "
                                             "model needs"}};

static const described environment[] = {
    {"NNRT_ISA", "instruction set of the CPU device where --isa is not given; a name that this processor does not have "
                 "is an error"}};

enum {
    EXIT_CODE_COUNT = sizeof(exit_codes) / sizeof(exit_codes[0]),
    ENVIRONMENT_COUNT = sizeof(environment) / sizeof(environment[0]),
    HELP_INDENT = 24 /* of what is said of an option */
};

/* A name and, in a column of their own, sentences. */
static void print_described(FILE *file, const char *name, const char *meaning) {
    size_t at = (size_t)fprintf(file, "  %s ", name);
    if (at < HELP_INDENT) at += (size_t)fprintf(file, "%*s", (int)(HELP_INDENT - at), "");
    print_wrapped(file, meaning, at, HELP_INDENT);
}

/* "-o, --output PLAN" */
static const char *option_form(const option *o, char form[64]) {
    snprintf(form, 64, "%s%s%s%s%s", o->letter != NULL ? o->letter : "", o->letter != NULL ? ", " : "", o->name,
             *o->value != '\0' ? " " : "", o->value);
    return form;
}

static void print_help(FILE *file) {
    fprintf(file, "nnrt: runs neural networks through OpenHarmony's OH_NN* API.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(file, "  %s\n", commands[i].synopsis);
    fprintf(file, "  nnrt help [COMMAND], nnrt help --man, nnrt help --completion bash|zsh|fish\n  nnrt --version\n\n");
    print_wrapped(file, about_model, 0, 0);
    fprintf(file, "Exit codes:\n");
    for (size_t i = 0; i < EXIT_CODE_COUNT; i++) {
        fprintf(file, "  %s  ", exit_codes[i].name);
        print_wrapped(file, exit_codes[i].meaning, 5, 5);
    }
}

static int print_command_help(const command *c) {
    char form[64];
    printf("usage: %s\n\n", c->synopsis);
    print_wrapped(stdout, c->about, 0, 0);
    for (size_t i = 0, shown = 0; i < OPTION_COUNT; i++) {
        if ((options[i].commands & c->bit) == 0) continue;
        if (shown++ == 0) printf("\n");
        print_described(stdout, option_form(&options[i], form), options[i].help);
    }
    return TOOL_OK;
}

/* -------------------------------------------------------------------------------------------------- man page */

/* Text as roff takes it: a sentence begins a line, on which a dot would be a command; a hyphen is a minus, which can be
   copied into a shell. */
static void print_roff(const char *text) {
    if (*text == '.') fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (strncmp(text, ". ", 2) == 0) {
            fputs(text[2] == '.' ? ".\n\\&" : ".\n", stdout);
            text++;
        } else if (*text == '-') fputs("\\-", stdout);
        else if (*text == '\\') fputs("\\e", stdout);
        else putchar(*text);
    }
}

static void print_roff_item(const char *bold, const char *italic, const char *meaning) {
    printf(".TP\n\\fB");
    print_roff(bold);
    printf("\\fR");
    if (*italic != '\0') {
        printf(" \\fI");
        print_roff(italic);
        printf("\\fR");
    }
    printf("\n");
    print_roff(meaning);
    printf("\n");
}

static int print_man_page(void) {
    printf(".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Made by nnrt help --man.\n"
           ".TH NNRT 1 \"\" \"nnrt %s\" \"User Commands\"\n"
           ".SH NAME\nnnrt \\- inspect, run, time and compile neural networks\n.SH SYNOPSIS\n.nf\n",
           NNRT_VERSION);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        print_roff(commands[i].synopsis);
        printf("\n");
    }
    printf("nnrt help [COMMAND | \\-\\-man | \\-\\-completion SHELL]\nnnrt \\-\\-version\n.fi\n.SH DESCRIPTION\n"
           "Runs neural networks through OpenHarmony's OH_NN* API, on the processor or on an NPU.\n");
    print_roff(about_model);
    printf("\nAn option is written \\fB\\-\\-name\\fR \\fIVALUE\\fR or \\fB\\-\\-name=\\fR\\fIVALUE\\fR.\n");
    printf(".SH COMMANDS\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf(".SS ");
        print_roff(commands[i].synopsis);
        printf("\n");
        print_roff(commands[i].about);
        printf("\n");
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            char names[64];
            const option *o = &options[k];
            snprintf(names, sizeof(names), "%s%s%s", o->letter != NULL ? o->letter : "", o->letter != NULL ? ", " : "",
                     o->name);
            if ((o->commands & commands[i].bit) != 0) print_roff_item(names, o->value, o->help);
        }
    }
    printf(".SS nnrt help [COMMAND | \\-\\-man | \\-\\-completion SHELL]\n"
           "Prints help, this page, or the completion for a shell.\n"
           ".TP\n\\fB\\-\\-man\\fR\nthis page\n"
           ".TP\n\\fB\\-\\-completion\\fR \\fISHELL\\fR\nwhat bash, zsh or fish completes a command line by\n");
    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < EXIT_CODE_COUNT; i++) print_roff_item(exit_codes[i].name, "", exit_codes[i].meaning);
    printf(".SH ENVIRONMENT\n");
    for (size_t i = 0; i < ENVIRONMENT_COUNT; i++) print_roff_item(environment[i].name, "", environment[i].meaning);
    printf(".SH EXAMPLES\n.nf\n"
           "nnrt inspect model.tflite\n"
           "nnrt bench model.tflite \\-\\-profile\n"
           "nnrt run model.tflite \\-\\-input picture.jpg \\-\\-resize crop \\-\\-top 3\n"
           "nnrt compile model.tflite \\-\\-target neon \\-o model.plan\n.fi\n");
    return TOOL_OK;
}

/* ------------------------------------------------------------------------------------------------ completion */

static bool takes_path(const option *o) {
    return strstr(o->value, "FILE") != NULL || strstr(o->value, "PLAN") != NULL || strstr(o->value, "FOLDER") != NULL;
}

/* The first phrase of an option's help, which shells show in one line: no quote, no bracket, no colon in it. */
static const char *first_phrase(const option *o, char phrase[128]) {
    size_t length = 0;
    for (const char *p = o->help; *p != '\0' && *p != ';' && *p != ':' && strncmp(p, ". ", 2) != 0; p++)
        if (length < 127 && strchr("'\"[]`$\\", *p) == NULL) phrase[length++] = *p;
    phrase[length] = '\0';
    return phrase;
}

static void print_command_names(void) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) printf("%s ", commands[i].name);
    printf("help");
}

/* What follows an option is completed by its row; anything else is an option of the command or a file. */
static int print_bash_completion(void) {
    printf("# bash completion of nnrt; made by nnrt help --completion bash\n"
           "_nnrt() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]} known=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    print_command_names();
    printf(" --version --help' -- \"$word\"))\n        return\n    fi\n    case $command:$before in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const option *o = &options[k];
            if ((o->commands & commands[i].bit) == 0 || o->kind == 'f' || takes_path(o)) continue;
            printf("    %s:%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", commands[i].name, o->name,
                   o->choices != NULL ? o->choices : "");
        }
    }
    printf("    help:--completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); return ;;\n    esac\n"
           "    case $command in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("    %s) known='", commands[i].name);
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            if ((options[k].commands & commands[i].bit) == 0) continue;
            printf("%s%s%s ", options[k].letter != NULL ? options[k].letter : "", options[k].letter != NULL ? " " : "",
                   options[k].name);
        }
        printf("--help' ;;\n");
    }
    printf("    help) COMPREPLY=($(compgen -W '--man --completion ");
    print_command_names();
    printf("' -- \"$word\")); return ;;\n    esac\n"
           "    case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$known\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _nnrt nnrt\n");
    return TOOL_OK;
}

/* One argument of _arguments: '*--runs[timed runs]:N:'. */
static void print_zsh_option(const option *o, const char *name) {
    char phrase[128];
    printf("            '*%s[%s]", name, first_phrase(o, phrase));
    if (o->kind != 'f') {
        printf(":%s:", o->value);
        if (o->choices != NULL) printf("(%s)", o->choices);
        else if (takes_path(o)) printf("_files");
    }
    printf("' \\\n");
}

static int print_zsh_completion(void) {
    printf("#compdef nnrt\n# zsh completion of nnrt; made by nnrt help --completion zsh\n"
           "_nnrt() {\n    local -a known\n    known=(\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) printf("        '%s:%s'\n", commands[i].name, commands[i].summary);
    printf("        'help:tell about a command'\n    )\n"
           "    if (( CURRENT == 2 )); then\n        _describe command known\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("    %s)\n        _arguments \\\n", commands[i].name);
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            if ((options[k].commands & commands[i].bit) == 0) continue;
            print_zsh_option(&options[k], options[k].name);
            if (options[k].letter != NULL) print_zsh_option(&options[k], options[k].letter);
        }
        printf("            '--help[tell about the command]' \\\n            '*:%s:_files' ;;\n",
               *commands[i].operands != '\0' ? commands[i].operands : "nothing");
    }
    printf("    help)\n        _arguments \\\n            '--man[print the man page]' \\\n"
           "            '--completion[print the completion of a shell]:shell:(bash zsh fish)' \\\n"
           "            '*:command:(");
    print_command_names();
    printf(")' ;;\n    esac\n}\n_nnrt \"$@\"\n");
    return TOOL_OK;
}

static int print_fish_completion(void) {
    printf("# fish completion of nnrt; made by nnrt help --completion fish\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("complete -c nnrt -n __fish_use_subcommand -f -a %s -d '%s'\n", commands[i].name, commands[i].summary);
    printf("complete -c nnrt -n __fish_use_subcommand -f -a help -d 'tell about a command'\n"
           "complete -c nnrt -n '__fish_seen_subcommand_from help' -f -l man -d 'print the man page'\n"
           "complete -c nnrt -n '__fish_seen_subcommand_from help' -x -l completion -a 'bash zsh fish'\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const option *o = &options[k];
            char phrase[128];
            if ((o->commands & commands[i].bit) == 0) continue;
            printf("complete -c nnrt -n '__fish_seen_subcommand_from %s' -l %s", commands[i].name, o->name + 2);
            if (o->letter != NULL) printf(" -s %s", o->letter + 1);
            if (o->kind != 'f') printf(takes_path(o) ? " -r" : " -x");
            if (o->choices != NULL) printf(" -a '%s'", o->choices);
            printf(" -d '%s'\n", first_phrase(o, phrase));
        }
    }
    return TOOL_OK;
}

/* `nnrt help`, with what stands behind it or NULL. */
static int help(const char *topic, const char *more) {
    const command *c = topic != NULL ? find_command(topic) : NULL;
    if (topic == NULL) {
        print_help(stdout);
        return TOOL_OK;
    }
    if (c != NULL) return print_command_help(c);
    if (strcmp(topic, "--man") == 0) return print_man_page();
    if (strcmp(topic, "--completion") == 0) {
        if (more != NULL && strcmp(more, "bash") == 0) return print_bash_completion();
        if (more != NULL && strcmp(more, "zsh") == 0) return print_zsh_completion();
        if (more != NULL && strcmp(more, "fish") == 0) return print_fish_completion();
        return complain(TOOL_USAGE, "help: --completion wants bash, zsh or fish");
    }
    return complain(TOOL_USAGE, "help: there is no command %s; see: nnrt help", topic);
}

#endif /* NNRT_TOOLS_TOOL_HELP_H */
