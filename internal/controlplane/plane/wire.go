package plane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Request is what a client, or a server's leash, asks of a supervisor: one line of JSON on the socket [RunControl].
type Request struct {
	Op Op `json:"op"`
	// Server names the server of a leash.
	Server Component `json:"server,omitempty"`
	// PID is the leash's process id, or in OpStarted the server's.
	PID int `json:"pid,omitempty"`
	// Status is how the server ended, in OpExited.
	Status string `json:"status,omitempty"`
	// Assets is the folder of the binaries, in OpControllers.
	Assets string `json:"assets,omitempty"`
}

// Op names what a Request asks for.
type Op string

// The operations of a client. Each gets one Reply; OpFollow gets a second one when the plane ends.
const (
	OpStatus      Op = "status"       // what runs
	OpStop        Op = "stop"         // stop everything; the run directory is gone when the Reply comes
	OpFollow      Op = "follow"       // tell when the plane ends, and of what
	OpRestart     Op = "restart"      // kill -9 the API server and start it again
	OpStopServer  Op = "stop-server"  // SIGTERM to the API server; the Reply comes when it has ended
	OpStartServer Op = "start-server" // start the API server after OpStopServer
	OpControllers Op = "controllers"  // start kube-controller-manager unless it runs, and wait until it is ready
)

// The operations of a leash, the process between the supervisor and one server.
const (
	OpLeash   Op = "leash"   // announces itself; the Reply says which program to run
	OpHelp    Op = "help"    // asks for the program only, to show what flags it has
	OpStarted Op = "started" // the server runs
	OpExited  Op = "exited"  // the server has ended
)

// Reply is a supervisor's answer: one line of JSON.
type Reply struct {
	// Error is why the request failed, else empty.
	Error string `json:"error,omitempty"`
	// Plane is the state, in answer to a client.
	Plane *Plane `json:"plane,omitempty"`
	// Processes are the servers' process ids, in answer to OpStatus.
	Processes map[Component]int `json:"processes,omitempty"`
	// Run is the program a leash is to run.
	Run string `json:"run,omitempty"`
	// Signal is what a leash is to send to its server: "term" or "kill".
	Signal string `json:"signal,omitempty"`
}

// Event is what a supervisor tells the program that started it: lines of JSON on its standard output.
type Event struct {
	// Doing says what it is at, while it starts.
	Doing string `json:"doing,omitempty"`
	// Ready comes once, when everything that was asked for answers.
	Ready *Plane `json:"ready,omitempty"`
	// Failed comes when the start failed, or later, when a server died. Everything is stopped then.
	Failed *Failure `json:"failed,omitempty"`
}

// Detach is the line with which the program that started a supervisor lets it live on.
const Detach = "detach"

// ErrNoSupervisor says that nobody answers on a run directory's socket.
var ErrNoSupervisor = errors.New("its supervisor does not run any more")

// ErrStranger says that somebody answers there who does not speak as a supervisor does.
var ErrStranger = errors.New("what listens in its place is no supervisor")

// AskTimeout bounds how long a supervisor may take to accept a connection and, for OpStatus, to answer.
const AskTimeout = 3 * time.Second

// Ask sends one request to the supervisor of the run directory and returns its answer.
func Ask(ctx context.Context, run string, r Request) (*Reply, error) {
	conn, err := Dial(ctx, run)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		return nil, Lost(ctx, err)
	}
	return ReadReply(ctx, Answers(conn))
}

// maxSaid is how many characters of an error are passed on: the reason, and the end of a log.
const maxSaid = 4000

// ReadReply turns a reply with an error in it into an error.
func ReadReply(ctx context.Context, d *json.Decoder) (*Reply, error) {
	reply := new(Reply)
	if err := d.Decode(reply); err != nil {
		return nil, Lost(ctx, err)
	}
	if reply.Error != "" {
		// A line of it must not look like one of ours.
		return nil, errors.New(term.Clip(strings.ReplaceAll(printableLines(reply.Error), "\n", "\n    "), maxSaid))
	}
	reply.Processes = known(reply.Processes)
	return reply, nil
}

// Lost explains a conversation that broke off.
func Lost(ctx context.Context, err error) error {
	ended := over(ctx)
	switch {
	case ended != nil:
		return ended
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return fmt.Errorf("%w: it ended before it answered", ErrNoSupervisor)
	case errors.Is(err, errTalkative), isJSON(err):
		return fmt.Errorf("%w: %s", ErrStranger, Printable(err.Error()))
	default:
		return fmt.Errorf("%w: %s", ErrNoSupervisor, Printable(err.Error()))
	}
}

// isJSON says whether an answer came that is not what was to come.
func isJSON(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind)
}
