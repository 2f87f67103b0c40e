package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	decoder bool // 01.1: decode.Decoder
	follow  bool // 01.2: follow.Follow
	view    bool // 01.3: view.View
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "Decoder", Slug: "1-decode", Yours: &p.decoder},
		{Name: "Follow", Slug: "2-follow", Yours: &p.follow},
		{Name: "View", Slug: "3-view", Yours: &p.view},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "01-raw-watch", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }
