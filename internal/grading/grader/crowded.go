package grader

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// crowd is how many programs may want each processor before a test that takes milliseconds can last for seconds. A
// class that is graded with -parallel 2 stays below it by itself.
const crowd = 4

// CrowdedNote begins the note of [Result.Doubtful].
const CrowdedNote = "the machine was busy: "

// noteCrowd adds to a hang that other programs may have made it: the limits of the tests are by the clock. loadavg is
// what /proc/loadavg says, empty where there is none.
func (r Result) noteCrowd(loadavg string, processors int) Result {
	if r.Failure == nil || r.Failure.Reason != ReasonHang {
		return r
	}
	first, _, _ := strings.Cut(loadavg, " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil || load < float64(crowd*processors) {
		return r
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s%.0f programs wanted its %d processors, and a right answer may be "+
		"too slow then; grade it again when they are done", CrowdedNote, load, processors))
	return r
}

// Doubtful says whether other programs may have made this failure, so that the exercise has to be graded again.
func (r Result) Doubtful() bool { return r.hasNote(CrowdedNote) }

// loadAverage is how many programs wanted a processor in the last minute, in /proc's words; only Linux tells.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return string(text)
}
