package symptoms

import (
	"bytes"
	"regexp"
)

// A log is made of records, which may have several lines: a message and its stack, or one that a terminal, a table or
// docker has broken. What is wrapped around each line is taken off, and then the text shows where a record begins.

var (
	// column is what stands before the text of a line: docker compose's name of a service, and a time, which
	// containerd and tables have, with what separates it.
	column  = regexp.MustCompile(`^[\w.-]+ *\|(?: |$)`)
	stamped = regexp.MustCompile(`^["\[]?(?:[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}[T ,]*)?` +
		`[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?(?:Z|[+-][0-9:]+)?["\]]?[,;|]?"?(?:\s+(?:std(?:out|err) [FP](?: |$))?|$)`)
	// opens is how the text of a record begins, beside klog's header and JSON.
	opens = regexp.MustCompile(`^(?:\[?(?:trace|debug|info|notice|warn|warning|error|critical|severe|` +
		`TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|PANIC|CRITICAL|SEVERE)\b|` +
		`(?:level|ts|time|severity|msg|logger)=|panic:|fatal error:)`)
	// failure is what a record of an error has in its first line.
	failure = regexp.MustCompile(`^\[?(?i:error|fatal|panic|critical|severe)\b|^fatal error:|^Traceback \(most|` +
		`^Exception in thread|^[\w.]+(?:Exception|Error)\b|` +
		`[\s\[|](?:ERROR|FATAL|PANIC|DPANIC|CRITICAL|SEVERE)[\s\]|:]|` +
		`\b(?:level|severity|lvl)"?[=:] ?"?(?i:error|eror|fatal|d?panic|crit|critical|alert|emergency)\b`)
	// failing is what one of these words has in it, to be looked for first.
	failing = [][]byte{[]byte("rror"), []byte("ERR"), []byte("atal"), []byte("FATAL"), []byte("anic"), []byte("PANIC"),
		[]byte("crit"), []byte("CRIT"), []byte("Crit"), []byte("SEVERE"), []byte("severe"), []byte("Traceback"),
		[]byte("Exception"), []byte("eror"), []byte("alert"), []byte("mergency")}
	docker = []byte(`{"log":"`)
)

// A bare line is without what is wrapped around it.
type bare struct {
	bytes   []byte
	begins  bool // a record begins here
	stamped bool // it has a time: a record begins, if no message goes on here
	opens   bool // it has a level, and no time: the same
	whole   bool // it is a record: JSON, and nothing of it follows
}

// bareLine takes off what docker, containerd, docker compose or a table has put around the text of a line.
func bareLine(line []byte) bare {
	line = bytes.TrimSpace(line)
	if rest, ok := bytes.CutPrefix(line, docker); ok {
		if end := bytes.LastIndex(rest, []byte(`","stream":"`)); end >= 0 {
			rest = rest[:end]
		}
		line = bytes.TrimSpace(rest)
	}
	t := bare{bytes: line}
	if klogs(line) {
		t.begins = true
		return t
	}
	if bytes.IndexByte(head(line, 64), '|') > 0 {
		line = line[len(column.Find(line)):]
	}
	if len(line) > 0 && (line[0] <= '9' || line[0] == '[') {
		time := len(stamped.Find(line))
		line, t.stamped = line[time:], time > 0
	}
	t.bytes = bytes.TrimSpace(line)
	t.opens = opens.Match(head(line, 40))
	json := bytes.HasPrefix(line, []byte(`{"`))
	t.whole = json && bytes.HasSuffix(line, []byte("}"))
	t.begins = klogs(line) || json || t.stamped && t.opens
	return t
}

// klogs says whether a line begins with klog's header: I1124.
func klogs(line []byte) bool {
	return len(line) > 5 && bytes.IndexByte([]byte("IWEF"), line[0]) >= 0 && line[5] == ' ' && digits(line[1:5])
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// failed says whether a line tells of an error, or klog's of a warning.
func (t bare) failed() bool {
	if klogs(t.bytes) {
		return t.bytes[0] != 'I'
	}
	start := head(t.bytes, 2<<10)
	for _, word := range failing {
		if bytes.Contains(start, word) {
			return failure.Match(start)
		}
	}
	return false
}

func head(b []byte, n int) []byte { return b[:min(n, len(b))] }

// reach is how much of the lines before a line is looked at together with it.
const reach = 400

// tail keeps the end of a record, its lines joined by "\n".
type tail struct{ kept, joined, squeezed []byte }

// join gives the record's end with this text below it, and where the joint is; nothing, if the text begins a record.
func (a *tail) join(t bare) (joined []byte, joint int) {
	if t.begins || len(a.kept) == 0 {
		a.kept = a.kept[:0]
		if !t.whole {
			a.kept = append(a.kept, t.bytes[max(0, len(t.bytes)-reach):]...)
		}
		return nil, 0
	}
	joint = len(a.kept)
	a.joined = append(append(append(a.joined[:0], a.kept...), '\n'), head(t.bytes, reach)...)
	all := a.joined
	if len(t.bytes) > reach {
		all = t.bytes
	}
	a.kept = append(a.kept[:0], all[max(0, len(all)-reach):]...)
	return a.joined, joint
}

// squeeze leaves out spaces and the ends of lines, so that an anchor stands in it wherever it was broken.
func (a *tail) squeeze(joined []byte) []byte {
	a.squeezed = a.squeezed[:0]
	for _, b := range joined {
		if b != ' ' && b != '\n' {
			a.squeezed = append(a.squeezed, b)
		}
	}
	return a.squeezed
}
