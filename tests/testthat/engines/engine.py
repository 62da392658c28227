"""Runs SQL in DuckDB or Spark for the R tests: engine.py <duckdb|spark> <file for the port>.

One request is a line of JSON: {"sql": ..., "rows": rows per chunk, 0 for one chunk}. The answer is a sequence of chunks and
then {"end": true}, or {"error": message}. JSON in an answer follows its length in ten digits. A chunk is JSON with the
names and types of the columns, followed by the bytes of each: a mask of missing values, then doubles, integers, or indices
into the levels of a text. If the client goes away, the query is cancelled and the process ends. The file gets the port and
the number of the process.
"""

import json
import os
import select
import socket
import sys
import threading

import pyarrow as pa
import pyarrow.compute as pc

CHUNK = 1 << 18


class DuckDB:
    def __init__(self):
        import duckdb

        self.connection = duckdb.connect(config={"threads": 2})

    def batches(self, sql, rows):
        result = self.connection.execute(sql)
        if not result.description:
            return
        reader = result.to_arrow_reader(rows or CHUNK)
        if rows:
            yield from (pa.Table.from_batches([batch]) for batch in reader)
        else:
            yield reader.read_all()

    def cancel(self):
        self.connection.interrupt()


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.driver.memory", "2g")
            .getOrCreate()
        )

    def batches(self, sql, rows):
        table = self.session.sql(sql).toArrow()
        if not rows:
            yield table
            return
        for start in range(0, table.num_rows, rows):
            yield table.slice(start, rows)

    def cancel(self):
        self.session.sparkContext.cancelAllJobs()


def encode(column):
    """Type, levels and bytes of a column."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    kind = column.type
    mask = pc.is_null(column).to_numpy(zero_copy_only=False).astype("u1").tobytes()
    levels = None
    if pa.types.is_boolean(kind):
        name, values = "logical", pc.cast(column, pa.int32())
    elif pa.types.is_date(kind):
        name, values = "date", pc.cast(pc.cast(column, pa.date32()), pa.int32())
    elif pa.types.is_timestamp(kind):
        name, values = "time", pc.cast(pc.cast(column, pa.timestamp("us", kind.tz)), pa.int64())
        values = pc.cast(values, pa.float64(), safe=False)
    elif pa.types.is_integer(kind) and kind.bit_width <= 32 and kind not in (pa.uint32(),):
        name, values = "integer", pc.cast(column, pa.int32())
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        name, values = "double", pc.cast(column, pa.float64(), safe=False)
    else:
        coded = pc.cast(column, pa.string()).dictionary_encode()
        name, values, levels = "text", pc.cast(coded.indices, pa.int32()), coded.dictionary.to_pylist()
    width = "<f8" if pa.types.is_floating(values.type) else "<i4"
    data = pc.fill_null(values, 0).to_numpy(zero_copy_only=False).astype(width).tobytes()
    return {"type": name, "levels": levels}, mask + data


def send_json(stream, value):
    text = json.dumps(value).encode()
    stream.write(b"%010d" % len(text) + text)


def send(stream, table):
    columns = [encode(table.column(i)) for i in range(table.num_columns)]
    head = {"n": table.num_rows, "names": table.column_names, "columns": [column[0] for column in columns]}
    send_json(stream, head)
    for _, data in columns:
        stream.write(data)


def answer(engine, request, stream):
    try:
        for table in engine.batches(request["sql"], request["rows"]):
            send(stream, table)
        return {"end": True}
    except OSError:  # the client has gone
        raise
    except Exception as error:  # whatever the engine raises is an answer
        return {"error": str(error)}


def watch(connection, engine, done):
    """Cancels the query when the client goes away: it sends nothing before it has its answer."""
    while not done.wait(0.1):
        if select.select([connection], [], [], 0)[0] and connection.recv(1, socket.MSG_PEEK) == b"":
            engine.cancel()


def main():
    engine = {"duckdb": DuckDB, "spark": Spark}[sys.argv[1]]()
    server = socket.create_server(("localhost", 0))
    with open(sys.argv[2], "w") as file:
        file.write("%d\n%d\n" % (server.getsockname()[1], os.getpid()))
    connection, _ = server.accept()
    with connection.makefile("rwb") as stream:
        for line in stream:
            done = threading.Event()
            watcher = threading.Thread(target=watch, args=(connection, engine, done))
            watcher.start()
            try:
                send_json(stream, answer(engine, json.loads(line), stream))
                stream.flush()
            finally:
                done.set()
                watcher.join()


main()
