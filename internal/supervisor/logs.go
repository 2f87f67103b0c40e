package supervisor

import (
	"encoding/json"
	"io"
	"os"
	"strings"
)

// logTail is how many lines of a server's log a failure shows.
const logTail = 8

// tail returns the last lines of the file at path, none when it can't be read.
func tail(path string, n int) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	const enough = 64 << 10
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		f.Seek(max(0, size-enough), io.SeekStart)
	}
	data, _ := io.ReadAll(f)
	text := strings.TrimRight(string(data), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}

// telling returns the line of a log that says why the server gave up, "" when none does. The servers write klog's format, where a
// line begins with its level, and end with "Error: ..."; etcd writes JSON.
func telling(lines []string) string {
	var found string
	for _, line := range lines {
		var entry struct{ Level, Msg, Error string }
		switch {
		case json.Unmarshal([]byte(line), &entry) == nil:
			if entry.Level == "fatal" || entry.Level == "panic" || entry.Level == "error" && found == "" {
				found = strings.TrimSuffix(entry.Msg+": "+entry.Error, ": ")
			}
		case strings.HasPrefix(line, "Error: "), strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "error: "):
			return line
		case len(line) > 1 && line[0] == 'F' && line[1] >= '0' && line[1] <= '9':
			return line
		}
	}
	return found
}
