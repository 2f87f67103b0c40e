package exercise

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// goroutine is one block of a stack dump.
type goroutine struct {
	state string // "running", "select", "sync.Mutex.Lock" ...
	at    string // "exercise.go:12, in Follow": the innermost frame in the learner's file, "" if none
	from  string // the same for the statement that started it

	frames []frame // all of those in the learner's file, innermost first
	direct bool    // what the innermost one calls is Go's own
	tests  bool    // there are calls in the tests' files
}

// frame is a call in the learner's file.
type frame struct {
	line    int
	name    string
	closure bool
}

func (f frame) String() string { return fmt.Sprintf("exercise.go:%d, in %s", f.line, f.name) }

var (
	goroutineHead = regexp.MustCompile(`(?m)^[\[ ]?[Gg]oroutine (\d+)(?: gp=\S+ m=\S+(?: mp=\S+)?)?(?: \[([^\]\n]*)\]| in state ([^,\n]*),)`)
	closureCall   = regexp.MustCompile(`\.func\d+(\.\d+)*\(`)
	locking       = regexp.MustCompile(`^(runtime|sync|internal/sync)\.`)
	frameLine     = regexp.MustCompile(`(?m)^(created by )?(\S[^\n]*)\n\t([^\n]*?):(\d+)`)
)

// parseStacks reads the dump of runtime.Stack, and that of a goleak error.
func parseStacks(dump string) []goroutine {
	var out []goroutine
	heads := goroutineHead.FindAllStringSubmatchIndex(dump, -1)
	for i, h := range heads {
		end := len(dump)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		g := goroutine{}
		for _, k := range []int{4, 6} {
			if h[k] >= 0 {
				g.state, _, _ = strings.Cut(dump[h[k]:h[k+1]], ",")
			}
		}
		g.state = strings.TrimSuffix(g.state, " (durable)")
		g.direct = true
		for _, f := range frameLine.FindAllStringSubmatch(dump[h[0]:end], -1) {
			g.tests = g.tests || strings.HasSuffix(f[3], "_test.go")
			if path.Base(f[3]) != "exercise.go" {
				g.direct = g.direct && (g.at != "" || locking.MatchString(f[2]))
				continue
			}
			line, _ := strconv.Atoi(f[4])
			place := frame{line, shortName(f[2]), closureCall.MatchString(f[2])}
			switch {
			case f[1] != "":
				g.from = place.String()
			default:
				g.frames = append(g.frames, place)
				g.at = g.frames[0].String()
			}
		}
		out = append(out, g)
	}
	return out
}

// shortName makes "M/chapters/01-x/exercises/1-sum.(*Reader).Next.func1(0xc00001)" into "(*Reader).Next".
func shortName(function string) string {
	function, _, _ = strings.Cut(function, " in goroutine")
	if i := strings.LastIndex(function, "/"); i >= 0 {
		function = function[i+1:]
	}
	if i := strings.LastIndex(function, "("); i > 0 && function[i-1] != '.' {
		function = function[:i]
	}
	_, name, ok := strings.Cut(function, ".")
	if !ok {
		name = function
	}
	return closureSuffix.ReplaceAllString(name, "")
}

var closureSuffix = regexp.MustCompile(`(\.(func|gowrap|deferwrap)\d+(\.\d+)*)+$`)

// waitsForLock: for one that the learner's own code asks for, and not for one of a package that it calls.
func (g goroutine) waitsForLock() bool {
	return g.at != "" && g.direct && g.doing() == "waiting for a lock"
}

// doing says in words what a goroutine's state means.
func (g goroutine) doing() string {
	switch g.state {
	case "running", "runnable":
		return "running"
	case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "semacquire":
		return "waiting for a lock"
	case "chan receive", "chan receive (nil chan)":
		return "waiting to receive from a channel"
	case "chan send", "chan send (nil chan)":
		return "waiting to send to a channel"
	case "select", "select (no cases)":
		return "waiting in a select"
	case "IO wait":
		return "waiting for the network"
	case "sleep":
		return "sleeping"
	case "sync.WaitGroup.Wait":
		return "waiting for a WaitGroup"
	case "sync.Cond.Wait":
		return "waiting for a Cond"
	}
	return "waiting (" + g.state + ")"
}

// culprit picks the goroutine that most likely holds a test up: one of the learner's that runs, or else one that waits
// for a lock, or else the first that is in the learner's file at all.
func culprit(all []goroutine) (goroutine, bool) {
	rank := func(g goroutine) int {
		switch {
		case g.at == "":
			return 0
		case g.doing() == "running":
			return 3
		case g.doing() == "waiting for a lock":
			return 2
		}
		return 1
	}
	best := goroutine{}
	for _, g := range all {
		if rank(g) > rank(best) {
			best = g
		}
	}
	return best, best.at != ""
}

func hangVerdict(g *guard, limit time.Duration, all []goroutine) Verdict {
	v := Verdict{
		Kind:     KindHang,
		Expected: fmt.Sprintf("the test ends within %v", limit),
		Happened: "it still ran, waiting for something that never came",
		PointsTo: g.hangMeans,
	}
	if story := lockStory(all, learnersFile()); story != "" {
		v.Happened = "it still ran: " + story
	} else if c, ok := culprit(all); ok {
		v.Happened = "it still ran: " + c.says()
		if c.waitsForLock() {
			v.Happened = "it still ran: " + c.asks()
		}
	} else if slices.ContainsFunc(all, func(g goroutine) bool { return g.tests && g.doing() == "running" }) {
		v.Happened = "it still ran, and was busy: it waited for nothing" // a loop that was inlined has no place
	}
	return v
}

func memoryVerdict(all []goroutine) Verdict {
	v := Verdict{
		Kind:     KindMemory,
		Expected: fmt.Sprintf("the test needs less than %d MB of memory", maxHeap>>20),
		Happened: "it took more, and was stopped",
	}
	if c, ok := culprit(all); ok {
		v.Happened += " at " + c.at
	}
	return v
}

func leakVerdict(g *guard, left []goroutine) Verdict {
	v := Verdict{
		Kind:     KindLeak,
		Expected: "whatever your code started has ended when the test ends",
		PointsTo: g.leakMeans,
	}
	var places []string
	for _, l := range left {
		switch {
		case l.at != "":
			places = append(places, l.doing()+" at "+l.at)
		case l.from != "":
			places = append(places, l.doing()+", started at "+l.from)
		}
	}
	n := "1 goroutine is"
	if len(left) != 1 {
		n = fmt.Sprintf("%d goroutines are", len(left))
	}
	v.Happened = n + " still there"
	if len(places) > 0 {
		v.Happened += ": " + places[0]
	}
	return v
}

// Place finds the innermost frame in exercise.go of one goroutine's stack: "exercise.go:12, in Follow". If none of its
// own is there, it is the statement that started the goroutine. The grader reads panics and race reports with it.
func Place(stack string) (place string, started, ok bool) {
	if !strings.HasPrefix(stack, "goroutine ") {
		stack = "goroutine 1 [running]:\n" + stack
	}
	all := parseStacks(stack)
	switch {
	case len(all) == 0:
		return "", false, false
	case all[0].at != "":
		return all[0].at, false, true
	}
	return all[0].from, true, all[0].from != ""
}
