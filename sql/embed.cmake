# Writes a C file that carries the SQL files: cmake -DSQL_DIR=… -DOUTPUT=… -P embed.cmake
#
# Migrations, then functions, then views, each in the order of their names; and the catalogue's query.
cmake_minimum_required(VERSION 3.25)
set(arrays "")
foreach(kind IN ITEMS migrations functions views)
    file(GLOB files LIST_DIRECTORIES false "${SQL_DIR}/${kind}/*.sql")
    list(SORT files)
    set(rows "")
    foreach(file IN LISTS files)
        get_filename_component(name "${file}" NAME)
        file(READ "${file}" hex HEX)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
        string(REGEX REPLACE "[^A-Za-z0-9]" "_" symbol "${kind}_${name}")
        string(APPEND arrays "static const char ${symbol}[] = {${bytes}0};\n")
        string(APPEND rows "    {\"${name}\", ${symbol}},\n")
    endforeach()
    string(APPEND tables
        "const struct sql_file sql_${kind}[] = {\n${rows}    {NULL, NULL},\n};\n")
endforeach()
file(READ "${SQL_DIR}/catalogue.sql" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(APPEND tables "const char sql_catalogue[] = {${bytes}0};\n")
file(WRITE "${OUTPUT}" "/* Generated from sql/ by embed.cmake. */\n#include \"sql.h\"\n\n"
    "#include <stddef.h>\n\n${arrays}\n${tables}")
