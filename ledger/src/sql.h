/*
 * The files of sql/, embedded at build time (sql/embed.cmake).
 */
#ifndef TENDER_LEDGER_SRC_SQL_H
#define TENDER_LEDGER_SRC_SQL_H

/* One file: its name ("0003_entry.sql") and its text. */
struct sql_file {
    const char *name;
    const char *text;
};

/* Each in the order of names, ended by a row of NULL. */
extern const struct sql_file sql_migrations[];
extern const struct sql_file sql_functions[];
extern const struct sql_file sql_views[];

/* Makes the function pg_temp.catalogue, which says what two schemas are made of. */
extern const char sql_catalogue[];

#endif
