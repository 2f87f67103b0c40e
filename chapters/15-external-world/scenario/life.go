package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// lifeEnv is the environment variable that has a program of this chapter be a controller.
const lifeEnv = "SCRATCH_15_CONTROLLER"

// Life is what a controller is told that is a process of its own.
type Life struct {
	Kubeconfig, Namespace string
	// Machine is the machine's name, which its objects have as a label, and Dir its folder.
	Machine, Dir string
	// Commands are the programs that may run; nil means any.
	Commands []string
	// Backoff is the time before a restart, instead of a second and more.
	Backoff time.Duration
	// FileLimit is how long a file may get, in bytes, which for a program is the same as a full disk. 0 means no limit.
	FileLimit uint64
	// KillAt has the controller kill itself, as SIGKILL does, at so many of its own steps: what it asks the API server
	// and the machine. 0 means never.
	KillAt int64
	// Done says that this step is done when it happens. Otherwise it is not.
	Done bool
	// More is for a later chapter's Before.
	More json.RawMessage `json:",omitempty"`
}

// Before is a later chapter's: it says what stands before a kubelet that is not set up yet.
type Before func(l Life, m manager.Manager, k *kubelet.Kubelet, on Mortal) (reconcile.Reconciler, error)

// RunIfController makes a program a controller, or a part, that was started as one, and ends it. It is the second line
// of main and of TestMain, behind machine.RunIfShim.
func RunIfController(before ...Before) {
	runIfPart()
	text := os.Getenv(lifeEnv)
	if text == "" {
		return
	}
	klog.SetLogger(logr.Discard()) // what is refused on purpose is told by the demo
	log.SetLogger(logr.Discard())
	var l Life
	err := json.Unmarshal([]byte(text), &l)
	if err == nil {
		err = l.run(before)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the controller:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// leashFile is the number of the file that the demo hands down: the read end of a pipe that ends with the demo.
const leashFile = 3

// run is the whole of a controller. It ends when its standard input is closed, or on a signal.
func (l Life) run(before []Before) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	signal.Ignore(syscall.SIGINT) // Ctrl-C is the demo's, which then closes the input
	if err := l.limitFiles(); err != nil {
		return err
	}
	where, err := machine.New(l.Dir, machine.Options{Leash: os.NewFile(leashFile, "leash"), Commands: l.Commands})
	if err != nil {
		return err
	}
	told := &teller{out: json.NewEncoder(os.Stdout)}
	counted := &steps{life: l, tell: told.tell}
	m, err := l.manager(counted)
	if err != nil {
		return err
	}
	o := kubelet.Options{Name: l.Machine, Namespace: l.Namespace, Observe: told.observe}
	if l.Backoff > 0 {
		o.Backoff = func(int32) time.Duration { return l.Backoff }
	}
	on, setup := Mortal{where, counted}, controller.Options{}
	k := kubelet.New(m.GetClient(), on, o)
	for _, b := range before {
		if setup.Reconciler, err = b(l, m, k, on); err != nil {
			return err
		}
	}
	if err := k.Setup(m, "process", setup); err != nil {
		return err
	}
	go func() {
		noisy(ctx, k, told)
		cancel()
	}()
	if err := m.Add(manager.RunnableFunc(func(context.Context) error { // runs when the caches are filled
		told.tell(Event{Kind: Began})
		return nil
	})); err != nil {
		return err
	}
	return m.Start(ctx)
}

// noise has a world tell of one run again and again, though nothing has happened.
type noise struct {
	Run   machine.Run
	Times int
	Every time.Duration
}

// noisy makes the noise that the demo asks for, until the demo has ended or ends the controller.
func noisy(ctx context.Context, k *kubelet.Kubelet, told *teller) {
	for asked := json.NewDecoder(os.Stdin); ; {
		var n noise
		if asked.Decode(&n) != nil {
			return
		}
		for range n.Times {
			k.Tell(n.Run, "noise", func(*kubelet.State) {})
			time.Sleep(n.Every)
		}
		select {
		case <-time.After(5 * k.Window): // the last window, and its run
		case <-ctx.Done():
		}
		told.tell(Event{Kind: Quiet})
	}
}

// limitFiles limits the length of each file that this process and what it starts may write.
func (l Life) limitFiles() error {
	if l.FileLimit == 0 {
		return nil
	}
	signal.Ignore(syscall.SIGXFSZ) // or the first file that is too long ends the program
	limit := syscall.Rlimit{Cur: l.FileLimit, Max: l.FileLimit}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fmt.Errorf("limit the length of files: %w", err)
	}
	return nil
}

// manager is one whose cache has the run's namespace, and whose requests pass what may kill the controller.
func (l Life) manager(counted *steps) (manager.Manager, error) {
	access, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return nil, err
	}
	access.QPS = -1
	access.Wrap(counted.between)
	return manager.New(access, manager.Options{Scheme: writing.Known(), Metrics: server.Options{BindAddress: "0"},
		Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}}})
}

// teller tells the demo what happens in the controller, a line each.
type teller struct {
	lock sync.Mutex // guards out
	out  *json.Encoder
}

func (t *teller) tell(e Event) {
	t.lock.Lock()
	defer t.lock.Unlock()
	_ = t.out.Encode(e) // who does not listen has ended, and the leash tells
}
