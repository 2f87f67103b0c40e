package faults

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// Proxy passes requests on to a server and makes them fail as its script says. It is an
// http.Handler; New also serves it on a pipe in memory, for Client.
type Proxy struct {
	script  Script
	reverse *httputil.ReverseProxy
	pipe    *pipe.Listener
	server  *http.Server

	mu      sync.Mutex
	records []*Record
	live    map[*exchange]bool
	away    int
	onFault func(Record, Fault)
	onBegin func(*http.Request, Record)
	changed chan struct{} // closed, and replaced, whenever the state that Quiet looks at changes
}

// exchange is one request on its way through the proxy.
type exchange struct {
	proxy  *Proxy
	record *Record
	faults []Fault
	// idle is true for a watch that is open and has nothing left to do but wait for the server.
	idle bool
}

// exchangeKey is the context key under which a request carries its exchange.
type exchangeKey struct{}

// New makes a proxy in front of a server, which it reaches through the transport. The transport adds
// the credentials. Close it to end its goroutines.
func New(server *url.URL, transport http.RoundTripper, script Script) *Proxy {
	p := NewHandler(server, transport, script)
	p.pipe = pipe.Listen("the fault proxy")
	p.server = &http.Server{Handler: p, ErrorLog: silent}
	go p.server.Serve(p.pipe)
	return p
}

// silent is a log for broken connections, which are what the proxy is for.
var silent = log.New(io.Discard, "", 0)

// NewHandler makes a proxy for a server of the caller's: it has no Client, and nothing to close.
func NewHandler(server *url.URL, transport http.RoundTripper, script Script) *Proxy {
	p := &Proxy{script: script, live: map[*exchange]bool{}, changed: make(chan struct{})}
	p.reverse = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			// A fault is placed by events, which a compressed body does not show.
			r.Out.Header.Set("Accept-Encoding", "identity")
		},
		Transport:      transport,
		BufferPool:     &buffers{},
		FlushInterval:  -1, // half an event must arrive before the connection breaks
		ErrorLog:       silent,
		ModifyResponse: intrude,
		ErrorHandler:   unreachable,
	}
	return p
}

// Client returns an HTTP client whose requests all go through the proxy, whatever their host. A
// relative URL is not enough for net/http: use http://faults/.
//
// Each request gets a connection of its own. When one that was used before breaks, net/http sends the
// request again without telling anybody, and a fault would hit two requests of the client's one.
func (p *Proxy) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: p.pipe.Dial, DisableKeepAlives: true}}
}

// Close ends all connections through the proxy.
func (p *Proxy) Close() error {
	return p.server.Close()
}

// OnFault has f called with each fault that comes to pass, before the client can see anything of it.
// A test moves its client's clock at a Stall: to the client, that is nothing but time that passes.
func (p *Proxy) OnFault(f func(Record, Fault)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onFault = f
}

// OnBegin has f called with each request that is counted, before anything is done about it.
func (p *Proxy) OnBegin(f func(*http.Request, Record)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onBegin = f
}

// ServeHTTP counts the request, and lets it through or not.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		p.reverse.ServeHTTP(w, r) // writes neither count nor fail
		return
	}
	x, away := p.begin(r)
	defer p.end(x)
	if tell := p.beginning(); tell != nil {
		tell(r, p.Record(x.record.N))
	}
	if away > 0 {
		x.fire(Fault{Kind: Away, Count: away}, func(r *Record) { r.End = string(Away) })
		panic(http.ErrAbortHandler) // net/http closes the connection without a word
	}
	for _, f := range x.faults {
		switch f.Kind {
		case Gone, TooMany, InternalError, Unavailable:
			a := answerFor(f, r.URL.Query().Get("resourceVersion"))
			x.fire(f, func(r *Record) { r.Status, r.End = a.Code, string(f.Kind) })
			a.write(w)
			return
		case Delay:
			if f.Event == 0 {
				x.fire(f, nil)
				pause(r.Context(), f.After)
			}
		}
	}
	p.reverse.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
}

// begin counts a request and finds its faults. The server is away for that many requests, with this.
func (p *Proxy) begin(r *http.Request) (x *exchange, away int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	verb := VerbOf(r)
	rec := &Record{N: len(p.records) + 1, Verb: verb, Query: r.URL.Query(), End: "open"}
	p.records = append(p.records, rec)
	x = &exchange{proxy: p, record: rec, faults: p.script.Faults(len(p.records), verb)}
	p.live[x] = true
	for _, f := range x.faults {
		if f.Kind == Away && p.away == 0 {
			p.away = max(f.Count, 1)
		}
	}
	away = p.away
	p.away = max(0, away-1)
	p.wake()
	return x, away
}

// end notes that the proxy is done with a request, whoever ended it.
func (p *Proxy) end(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.record.End == "open" {
		x.record.End = "client closed"
	}
	delete(p.live, x)
	p.wake()
}

// fire notes that a fault came to pass.
func (x *exchange) fire(f Fault, note func(*Record)) {
	var seen Record
	x.update(func(r *Record) {
		r.Fired = append(r.Fired, f)
		if note != nil {
			note(r)
		}
		seen = *r
	})
	if hook := x.proxy.hook(); hook != nil {
		hook(seen, f)
	}
}

// hook reads OnFault's function under the lock.
func (p *Proxy) hook() func(Record, Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.onFault
}

// beginning reads OnBegin's function under the lock.
func (p *Proxy) beginning() func(*http.Request, Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.onBegin
}

// update changes the record, and wakes those who wait for the proxy.
func (x *exchange) update(note func(*Record)) {
	x.proxy.mu.Lock()
	defer x.proxy.mu.Unlock()
	note(x.record)
	x.proxy.wake()
}

// wake is called with the lock held.
func (p *Proxy) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Recheck has Quiet ask its condition again. A client calls it when its state has changed.
func (p *Proxy) Recheck() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake()
}

// Quiet waits until the proxy is idle, and until done returns true, which is asked again after each change.
func (p *Proxy) Quiet(ctx context.Context, done func() bool) error {
	for {
		changed := p.Changed()
		if p.Idle() && done() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Idle says whether the proxy has one request, a watch that is open, with nothing to do for it but to wait for the
// server.
func (p *Proxy) Idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for x := range p.live {
		if !x.idle {
			return false
		}
	}
	return len(p.live) == 1
}

// Changed returns a channel that is closed with the next change of what Quiet looks at.
func (p *Proxy) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// unreachable answers when the server behind the proxy does not.
func unreachable(w http.ResponseWriter, r *http.Request, err error) {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		x.update(func(rec *Record) { rec.Status, rec.End = http.StatusBadGateway, "server unreachable" })
	}
	http.Error(w, "the server behind the fault proxy does not answer: "+err.Error(), http.StatusBadGateway)
}

// pause waits, or less long if the request ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// buffers lends the reverse proxy what it copies through, so that a run of a thousand requests does
// not allocate 32 MB.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if p, ok := b.pool.Get().(*[]byte); ok {
		return *p
	}
	return make([]byte, 8<<10)
}

func (b *buffers) Put(p []byte) { b.pool.Put(&p) }
