package bigproject

// group is one group of declarations; # stands for its number, #A for its area,
// #I and #O for the types that come in and go out.
const group = `
// group #: what one desk of the house works with
policy desk# {
    preset strict
    execution { maxTotalCostUsd 2.5 maxWallClockSeconds 1200 maxIterations 48 }
    approvals { requiredFor { tool.ledger#.entry.write, tool.post#.send } }
    effects {
        permit { #A.read, #A.look }
        permitWithApproval { #A.write, #A.send }
    }
}

tool ledger# {
    type http
    description "Ledger of desk #, one entry for each thing that was done."
    http {
        baseUrl "https://ledger.example/desk#"
        headers { "X-Key" "env:LEDGER_KEY" }
    }
    safety { trusted true sideEffects true }
    operations {
        entry.read {
            name "GET /entries/one"
            description "Reads one entry by its number."
            readOnly true
            effects { #A.read }
        }
        entry.find {
            name "GET /entries"
            description "Finds the entries of one day."
            readOnly true
            effects { #A.read, #A.look }
        }
        entry.write {
            name "POST /entries"
            schema "schemas/#I.json"
            idempotency key
            timeoutSeconds 30
            effects { #A.write }
        }
    }
}

tool post# {
    type mock
    description "Outgoing post of desk #."
    safety { trusted true sideEffects true }
    operations {
        look { readOnly true effects { #A.look } }
        send {
            description "Sends one letter. It cannot be taken back."
            idempotency key
            effects { #A.send }
        }
        count { readOnly true effects { #A.read } }
    }
}

agent Reader# {
    model mock/default
    policy desk#
    description "Reads what comes in at desk #"
    instructions """
        You read what comes in at desk # and say what it is about.

        Look the sender up in the ledger before you answer. Say "unknown" when the
        ledger has no entry; never guess a number. Answer in the form that is asked
        for, with the number of every entry you used.
        """
    constraints {
        maxIterations 12
        maxTokens 24000
        timeoutSeconds 90
        temperature 0.2
    }
    grants {
        tool.ledger#.entry.read
        tool.ledger#.entry.find
        tool.post#.look
    }
    input #I
    output #O
}

agent Writer# {
    model mock/default
    policy desk#
    description "Writes the answers of desk #"
    instructions """
        You write the answer of desk # to one letter, in the language of the letter.

        Keep to what the reader found. Quote numbers exactly. Do not promise anything
        the ledger does not hold, and end with the name of the desk.
        """
    constraints { maxIterations 8 maxTokens 16000 timeoutSeconds 60 }
    grants { tool.post#.look, tool.ledger#.entry.read }
    input #O
    output #O
}

agent Clerk# {
    model mock/default
    policy desk#
    instructions "Book what desk # did, one entry each, and nothing twice. Give the number of the entry back."
    constraints { maxIterations 20 maxTokens 8000 timeoutSeconds 60 }
    grants { tool.ledger#.entry.find, tool.ledger#.entry.write, tool.post#.count }
    output #O
}

agent Checker# {
    model mock/default
    policy desk#
    instructions "Check one answer of desk # against the ledger. Say what is wrong, or that nothing is."
    constraints { maxTokens 8000 }
    grants { tool.ledger#.entry.read }
    output #O
}

workflow answer#(letter: #I) -> #O
    description "One letter in, one answer out, read by a second pair of eyes."
    policy desk#
    effects { #A.read, #A.look, #A.send }
{
    found = Reader#({ letter: letter, desk: "desk #" })
    draft = Writer#({ found: found, remarks: "" })
    review = Checker#({ draft: draft, letter: letter.id })
    while !review.ready limit 3 {
        draft = Writer#({ found: found, remarks: "${review.id}", previous: draft })
        review = Checker#({ draft: draft, letter: letter.id })
    }
    if review.ready && letter.ready {
        sent = post#.send(to: letter.id, body: draft, copy: { desk: "desk #", count: 2 })
    } else {
        sent = post#.look(id: letter.id)
    }
    return draft
}

workflow book#(day: any) -> #O
    policy desk#
    effects { #A.read, #A.look, #A.write }
{
    entries = ledger#.entry.find(day: day, limit: 50)
    if entries.count == 0 || day == "sunday" {
        nothing = post#.count(day: day)
    } else if entries.count >= 100 {
        nothing = post#.look(day: day)
    } else {
        nothing = ledger#.entry.read(id: "${entries.first}")
    }
    entry = Clerk#({ entries: entries, seen: nothing })
    return entry
}

workflow day#(letters: any) policy desk# {
    approval open {
        description "Open desk # for today?"
        with { letters: letters }
    }
    parallel {
        seen = post#.count(day: "today")
        past = ledger#.entry.find(day: "yesterday", limit: 10)
    }
    for letter in open.letters {
        done = answer#(letter)
    }
    parallel for entry in past.entries {
        looked = post#.look(id: entry.id, day: "${seen.count}")
    }
    retry until looked.ready limit 4 {
        looked = post#.look(id: "last")
    }
    booked = book#("today")
    return { seen: seen, booked: booked }
}
`
