package supervisor

import (
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// shownLines is how many lines of a server's log a failure shows.
const shownLines = 8

// longest is how much of the telling line is told: etcd can fill a screen with one.
const longest = 200

// lastWords reads the end of a server's log: the lines to show, and the one that says why it gave up, "" when none
// does.
func lastWords(path string) (shown []string, why string) {
	lines := tail(path, 400)
	why = telling(lines)
	if r := []rune(why); len(r) > longest {
		why = string(r[:longest]) + " ..."
	}
	// A panic's stack tells a reader nothing that the line before does not.
	if stack := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "goroutine ") }); stack >= 0 {
		lines = slices.DeleteFunc(slices.Clone(lines[:stack]), func(l string) bool { return l == "" })
	}
	for _, line := range lines[max(0, len(lines)-shownLines):] {
		shown = append(shown, readable(line))
	}
	return shown, why
}

// MakeReadable returns what a line of a log says. etcd's lines are JSON and begin with what matters least.
func readable(line string) string {
	var entry struct{ Level, Msg, Error string }
	if json.Unmarshal([]byte(line), &entry) != nil || entry.Msg == "" {
		return line
	}
	return strings.TrimSuffix(entry.Level+": "+entry.Msg+": "+entry.Error, ": ")
}

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
	lines = lines[max(0, len(lines)-n):]
	for i, line := range lines {
		lines[i] = spelled(line)
	}
	return lines
}

// misspelled is how etcd's log says an error of a file, to which Go's fmt knows no %w.
var misspelled = regexp.MustCompile(`%!w\(\*fs\.PathError=&\{(\S+) ([^{}]*) (?:0x([0-9a-f]+)|(\d+))\}\)`)

// spelled writes out what a log says of a file: "write /x: no space left on device" for its number.
func spelled(line string) string {
	return misspelled.ReplaceAllStringFunc(line, func(found string) string {
		part := misspelled.FindStringSubmatch(found)
		number, base := part[4], 10
		if number == "" {
			number, base = part[3], 16
		}
		errno, err := strconv.ParseUint(number, base, 16)
		if err != nil {
			return found
		}
		return part[1] + " " + part[2] + ": " + syscall.Errno(errno).Error()
	})
}

// telling returns the line of a log that says why the server gave up, "" when none does. The servers write klog's
// format, where a line begins with its level, and end with "Error: ..."; etcd writes JSON and then panics.
func telling(lines []string) string {
	var complaint string
	for _, line := range lines {
		var entry struct{ Level, Msg, Error string }
		switch {
		case json.Unmarshal([]byte(line), &entry) == nil:
			said := strings.TrimSuffix(entry.Msg+": "+entry.Error, ": ")
			if entry.Level == "fatal" || entry.Level == "panic" {
				return said
			}
			if entry.Level == "error" {
				complaint = said
			}
		case strings.HasPrefix(line, "Error: "), strings.HasPrefix(line, "error: "), strings.HasPrefix(line, "panic: "):
			return line
		case len(line) > 1 && line[0] == 'F' && line[1] >= '0' && line[1] <= '9':
			return line
		}
	}
	return complaint
}
