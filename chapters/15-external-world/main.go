// Command 15-external-world runs objects as processes of the operating system, while somebody kills the processes, the
// controller, and what stands between them.
//
//	go run ./chapters/15-external-world                  plays everything
//	go run ./chapters/15-external-world -list            lists what there is to play
//	go run ./chapters/15-external-world -fault no-shim   plays one failure
//	go run ./chapters/15-external-world -step            waits for Enter, and asks what will happen
//	go run ./chapters/15-external-world -interactive     stays on, to be driven with kubectl, ps and kill
//
// main.go is the table of contents. step1_run.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. machine/ starts processes and knows how they
// ended, kubelet/ is the controller; scenario/ has controllers that can be killed.
package main

import (
	"flag"
	"os"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	machine.RunIfShim()
	scenario.RunIfController()
	log.SetLogger(logr.Discard()) // controller-runtime's: without this it warns, after half a minute
	klog.SetLogger(logr.Discard())
	lab.Main(demo())
}

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{root: os.Geteuid() == 0}
	return lab.Demo{
		Chapter: "15-external-world",
		Title:   "objects that are processes, and a world that does what it likes",
		Flags: func(f *flag.FlagSet) {
			f.Func("commands", "the programs that may run, as `sleep,sh`; needed if the API server is not on this machine",
				func(list string) error {
					t.commands = strings.Split(list, ",")
					return nil
				})
		},
		Steps: t.steps(),
		Faults: []lab.Fault{
			{Name: "pid-alone", Steps: []lab.Step{{
				Title: "Know a process by its pid alone", Run: t.pidAlone,
				Why: "A controller has noted a pid and a start time. A number comes round only after thousands of processes, so here " +
					"the note is changed: it has somebody else's pid, beside the old start time. Then the process is to be stopped."}}},
			{Name: "no-shim", Steps: []lab.Step{{
				Title: "Let the controller be the parent", Run: t.noShim,
				Why: "A controller starts `sh -c \"sleep 1; exit 3\"` itself, as most do, and is killed with SIGKILL. Its process goes " +
					"on. Another program watches it end."}}},
			{Name: "pipe", Steps: []lab.Step{{
				Title: "Take the output from a pipe", Run: t.pipe,
				Why: "`sh -c \"sleep 2 & exit 0\"` ends at once, and leaves a process that has inherited its output. Wait is called " +
					"with three outputs."}}},
			{Name: "wait4", Steps: []lab.Step{{
				Title: "Reap whatever ends", Run: t.reapAll,
				Why: "A controller that is pid 1 of its container becomes the parent of each orphan, and these become zombies. So it has " +
					"been given a loop that waits for any child, wait4(-1). It starts `sh -c \"exit 3\"` and waits for it, until an exit " +
					"code is lost."}}},
			{Name: "blocked-sender", Steps: []lab.Step{{
				Title: "Send to a controller that does not take", Run: t.blockedSender,
				Why: "Whoever sees a process end tells the controller through a Go channel, as controller-runtime's source.Channel wants " +
					"it. Then the same through chapter 13's channel."}}},
		},
		Interactive: t.follow,
	}
}

func (t *tour) steps() []lab.Step {
	return []lab.Step{
		{Title: "Run", Run: t.run,
			Why: "A Process is created, which its controller starts, and is deleted again. What its status says is shown, and " +
				"what ps says."},
		{Title: "Be killed", Run: t.killed,
			Why: "Somebody types kill -9 and the number of a process that a Process runs. No object changes by that, so no watch " +
				"tells of it."},
		{Title: "Die", Run: t.die,
			Why: "The controller gets a SIGKILL. Its process goes on, and then ends with exit code 3 while no controller lives. " +
				"After that another controller begins.",
			Question: "The controller is dead when its process ends with exit code 3. Can the next controller know the 3?",
			Answer: "Yes, if a parent that outlived the controller has waited: the system tells an exit code once, and to the " +
				"parent. Without the shim it is lost; -fault no-shim shows that."},
		{Title: "Refuse", Run: t.refuse,
			Why: "Six commands that end at once, or can't be started, and whose Processes are not to be restarted."},
		{Title: "Stop", Run: t.stop,
			Why: "A stop is a signal, and a process may do with it what it likes.",
			Question: "Three Processes are stopped: one is edited, one ignores SIGTERM, and one has a child of which the controller " +
				"has never heard. Which of their old processes still run afterwards?",
			Answer: "None. SIGKILL comes after the grace period, and signals go to the process's whole group."},
		{Title: "Fill the disk", Run: t.full,
			Why: "The controller may write no file, as on a full disk. A Process is created. Then there is room again."},
		{Title: "Start fifty", Run: t.burst,
			Why: "Fifty Processes are created at once, each of which runs `true`. A start takes a while, and three are at work " +
				"at a time, in the background: no run waits for one.",
			Question: "How often does the controller write a status for fifty Processes that each start and end: about 50, 150 " +
				"or 500 times?",
			Answer: "About 150: one says that it waits or is started, one that it runs, one that it has ended."},
	}
}
