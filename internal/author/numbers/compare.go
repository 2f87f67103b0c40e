package numbers

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A Row is one benchmark in one unit.
type Row struct {
	Benchmark string // "Stream/size=270B/decode=raw", without the implementation and the number of processors
	Unit      string // "sec/op", "B/op", "events/s"
	Ours      Cell
	Upstream  Cell

	better string // the last column, of a row that was read; empty: computed
}

// A Cell is the median of the runs of one implementation. The zero Cell says that there is none.
type Cell struct {
	Value  float64
	Spread string // half the width of the 95% confidence interval, "2%"; "∞" with too few runs
	There  bool
}

// Benchstat returns the command that compares a file of results, with benchstat at the version that scripts/tools pins.
func Benchstat(ctx context.Context, root, file string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", append([]string{"-C", "scripts/tools", "tool", "benchstat", "-col", "/impl"},
		append(args, file)...)...)
	cmd.Dir = root
	return cmd
}

// Compare has benchstat compare the results of one package, and returns its rows in the order of the results.
func Compare(ctx context.Context, root string, results []byte) ([]Row, error) {
	file, err := os.CreateTemp("", "bench-*.txt")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(results); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	cmd := Benchstat(ctx, root, file.Name(), "-format", "csv")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("benchstat: %w\n%s", err, complaints.String())
	}
	return readTables(out.String())
}

var processors = regexp.MustCompile(`-\d+$`)

// readTables reads benchstat's CSV: for each unit a table,
// whose second line has "sec/op,CI" for each implementation of its first.
func readTables(text string) ([]Row, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	records, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read benchstat's table: %w", err)
	}
	var rows []Row
	columns := map[string]int{} // implementation to column
	unit := ""
	for _, record := range records {
		switch {
		case len(record) == 1: // "goos: linux"
		case record[0] == "" && (len(record) < 3 || record[2] != "CI"):
			clear(columns)
			for i, name := range record {
				if name != "" {
					columns[name] = i
				}
			}
		case record[0] == "":
			unit = record[1]
		case record[0] == "geomean":
		default:
			row := Row{Benchmark: processors.ReplaceAllString(record[0], ""), Unit: unit}
			if row.Ours, err = cellAt(record, columns, "ours"); err != nil {
				return nil, err
			}
			if row.Upstream, err = cellAt(record, columns, "upstream"); err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func cellAt(record []string, columns map[string]int, name string) (Cell, error) {
	i, ok := columns[name]
	if !ok || i+1 >= len(record) || record[i] == "" {
		return Cell{}, nil
	}
	value, err := strconv.ParseFloat(record[i], 64)
	if err != nil {
		return Cell{}, fmt.Errorf("read benchstat's table: %s of %s: %w", name, record[0], err)
	}
	return Cell{Value: value, Spread: record[i+1], There: true}, nil
}
